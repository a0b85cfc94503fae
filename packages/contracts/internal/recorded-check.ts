/** A recorded access check, as it is decided again: what it asked, what was answered, and what its workflows received. */
import type { WorkflowExecution } from '../console/workflow-executions.ts';

type Json = null | boolean | number | string | object;

export interface RecordedExecution extends Omit<WorkflowExecution, 'input' | 'result'> {
  readonly input: Json;
  readonly result: Json;
}

export interface RecordedCheck {
  /** Of the event. */
  readonly id: string;
  readonly time: number;
  /** The customer that usage counts for; null for anonymous subjects. */
  readonly subjectIdentifier: string | null;
  readonly request: Json;
  readonly response: Json;
  readonly executions: RecordedExecution[];
}
