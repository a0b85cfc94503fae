/**
 * Saves a workflow's code. Code with errors is kept as a draft, and the previous compiled code stays. When somebody else
 * changed the source meanwhile, both texts are shown and nothing is lost.
 */
import { useRef, useState } from 'react';
import { updateWorkflowSchema, type Workflow, workflowSchema } from '#contracts/console/workflows';
import { ApiError } from '#web/api/api-error.ts';
import { toastError } from '#web/api/error-notice.ts';
import { toast } from '#web/toast.ts';
import { useUpdateWorkflow } from '../mutations.ts';
import type { Compilation, Problem } from './compilation.ts';

const NOT_SAVED = 'Code not saved';

type Outcome =
  | { readonly kind: 'saved'; readonly workflow: Workflow }
  | { readonly kind: 'conflict'; readonly current: Workflow; readonly changedBy: string | undefined }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[]; readonly isSource: boolean }
  | { readonly kind: 'unchecked'; readonly reason: string };

type Conflict = Extract<Outcome, { kind: 'conflict' }>;

export function useSaveCode(orgId: string, workflow: Workflow) {
  const update = useUpdateWorkflow(orgId, workflow.id);
  /** The workflow that the edit is based on. */
  const [base, setBase] = useState(workflow);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  /** What the server refused of code that compiles. */
  const [refusals, setRefusals] = useState<readonly Problem[]>([]);
  const isSaving = useRef(false);

  const send = async (source: string, compiled: string | null, on: Workflow): Promise<Outcome> => {
    const body = { source, ...(compiled !== null && { compiled }), updatedAt: on.updatedAt };
    // Before the call: the server reads no body that is much too large.
    const tooLarge = updateWorkflowSchema.safeParse(body).error?.issues ?? [];
    if (tooLarge.length > 0) {
      return refusedFor(tooLarge.map(({ path, message }) => ({ path: path.join('.'), message })));
    }
    try {
      return { kind: 'saved', workflow: await update.mutateAsync(body) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const current = workflowSchema.safeParse(error.current).data;
      // Only the details changed: send the same code again.
      if (current?.source === on.source) return send(source, compiled, current);
      if (current !== undefined) return { kind: 'conflict', current, changedBy: error.changedBy };
      if (compiled !== null && error.errorType === 'unavailable') {
        return { kind: 'unchecked', reason: error.message };
      }
      const issues = error.issues.filter(({ path }) => /^(source|compiled)(\.|$)/.test(path));
      if (issues.length === 0) throw error;
      return refusedFor(issues);
    }
  };

  const keep = (saved: Workflow) => {
    setBase(saved);
    setConflict(null);
  };

  const save = async ({ source, javascript }: Compilation): Promise<void> => {
    const outcome = await send(source, javascript, base);
    if (outcome.kind === 'conflict') setConflict(outcome);
    if (outcome.kind === 'saved') {
      keep(outcome.workflow);
      if (javascript === null) reportErrors();
      else toast.success('Workflow Updated');
    }
    if (outcome.kind !== 'refused' && outcome.kind !== 'unchecked') return;
    if (outcome.kind === 'refused' && outcome.isSource) {
      setRefusals(outcome.problems);
      toast.error(NOT_SAVED, { description: outcome.problems[0]?.message });
      return;
    }
    const draft = await send(source, null, base);
    if (draft.kind === 'conflict') setConflict(draft);
    if (draft.kind !== 'saved') return;
    keep(draft.workflow);
    if (outcome.kind === 'unchecked') toast.error('Saved as a draft', { description: outcome.reason });
    else {
      setRefusals(outcome.problems);
      reportErrors();
    }
  };

  return {
    base,
    theirs: conflict?.current ?? null,
    /** The id of the member who saved `theirs`, if the server named one. */
    changedBy: conflict?.changedBy,
    refusals,
    isSaving: update.isPending,
    /** Continues on another state of the workflow. */
    rebase: keep,
    clearRefusals: () => setRefusals([]),
    /** @param compile compiles the editor's current text */
    save: async (compile: () => Promise<Compilation>): Promise<void> => {
      if (isSaving.current) return;
      isSaving.current = true;
      try {
        setRefusals([]);
        await save(await compile());
      } catch (error) {
        toastError(error, NOT_SAVED);
      } finally {
        isSaving.current = false;
      }
    },
  };
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

function refusedFor(issues: readonly Issue[]): Outcome {
  const isSource = issues.some(({ path }) => path === 'source');
  return { kind: 'refused', isSource, problems: issues.map(refusalOf) };
}

/** The message is 'Line 3: …', a sentence, or what the field must be: 'Must be at most 256 KB'. */
function refusalOf({ path, message: text }: Issue): Problem {
  const [, line, message] = /^Line (\d+): (.*)$/s.exec(text) ?? [];
  if (line !== undefined && message !== undefined) return { line: Number(line), column: 1, message };
  const field = path === 'source' ? 'The code' : 'The compiled code';
  return { line: null, column: null, message: text.replace(/^Must /, `${field} must `) };
}

function reportErrors(): void {
  toast.error('Code Compilation Error', { description: 'This workflow has some errors.' });
}
