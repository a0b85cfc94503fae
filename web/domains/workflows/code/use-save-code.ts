/**
 * Saves a workflow's code. Code with errors is kept as a draft, and the previous compiled code stays. When somebody else
 * changed the source meanwhile, both texts are shown and nothing is lost.
 */
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { type Workflow, workflowSchema } from '#contracts/console/workflows';
import { ApiError } from '#web/api/api-error.ts';
import { errorNotice } from '#web/api/error-notice.ts';
import { useUpdateWorkflow } from '../mutations.ts';
import type { Compilation, Problem } from './compilation.ts';

type Outcome =
  | { readonly kind: 'saved'; readonly workflow: Workflow }
  | { readonly kind: 'conflict'; readonly current: Workflow }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  | { readonly kind: 'unchecked'; readonly reason: string };

export function useSaveCode(orgId: string, workflow: Workflow) {
  const update = useUpdateWorkflow(orgId, workflow.id);
  /** The workflow that the edit is based on. */
  const [base, setBase] = useState(workflow);
  const [theirs, setTheirs] = useState<Workflow | null>(null);
  /** What the server refused of code that compiles. */
  const [refusals, setRefusals] = useState<readonly Problem[]>([]);
  const isSaving = useRef(false);

  const send = async (source: string, compiled: string | null, on: Workflow): Promise<Outcome> => {
    try {
      const body = { source, ...(compiled !== null && { compiled }), updatedAt: on.updatedAt };
      return { kind: 'saved', workflow: await update.mutateAsync(body) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const current = workflowSchema.safeParse(error.current).data;
      // Only the details changed: send the same code again.
      if (current?.source === on.source) return send(source, compiled, current);
      if (current !== undefined) return { kind: 'conflict', current };
      if (compiled !== null && error.errorType === 'unavailable') {
        return { kind: 'unchecked', reason: error.message };
      }
      const problems = error.issues
        .filter(({ path }) => path === 'compiled' || path.startsWith('compiled.'))
        .map(({ message }) => refusalOf(message));
      if (problems.length === 0) throw error;
      return { kind: 'refused', problems };
    }
  };

  const keep = (saved: Workflow) => {
    setBase(saved);
    setTheirs(null);
  };

  const save = async ({ source, javascript }: Compilation): Promise<void> => {
    const outcome = await send(source, javascript, base);
    if (outcome.kind === 'conflict') setTheirs(outcome.current);
    if (outcome.kind === 'saved') {
      keep(outcome.workflow);
      if (javascript === null) reportErrors();
      else toast.success('Workflow Updated');
    }
    if (outcome.kind !== 'refused' && outcome.kind !== 'unchecked') return;
    const draft = await send(source, null, base);
    if (draft.kind === 'conflict') setTheirs(draft.current);
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
    theirs,
    refusals,
    isSaving: update.isPending,
    /** Continues on a newer state of the workflow. */
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
        const { title, description } = errorNotice(error);
        toast.error(title, { description });
      } finally {
        isSaving.current = false;
      }
    },
  };
}

/** @param text 'Line 3: …', or without a line */
function refusalOf(text: string): Problem {
  const [, line, message] = /^Line (\d+): (.*)$/s.exec(text) ?? [];
  return line === undefined || message === undefined
    ? { line: null, column: null, message: text }
    : { line: Number(line), column: 1, message };
}

function reportErrors(): void {
  toast.error('Code Compilation Error', { description: 'This workflow has some errors.' });
}
