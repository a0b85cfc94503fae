/** The deploy dialog for components that are on every page; its code loads when it opens. */
import { useState } from 'react';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import type { DeployDialogProps } from './deploy-dialog.tsx';

const deployDialog = codeApart(async () => (await import('./deploy-dialog.tsx')).DeployDialog);

/** A version, and the environment as the user saw it on choosing to deploy there. */
export type Move = Pick<DeployDialogProps, 'version' | 'chosen'>;

/** The move that the dialog shows, null while it is closed. It belongs to one organisation: another closes the dialog. */
export function useMove(orgId: string | null): [Move | null, (move: Move | null) => void] {
  const [chosen, setChosen] = useState<{ readonly orgId: string | null; readonly move: Move } | null>(null);
  if (chosen !== null && chosen.orgId !== orgId) setChosen(null);
  return [chosen?.move ?? null, (move) => setChosen(move === null ? null : { orgId, move })];
}

export interface DeployPartProps {
  readonly orgId: string | null;
  /** Null: closed. */
  readonly move: Move | null;
  readonly onClose: () => void;
}

export function DeployPart({ orgId, move, onClose }: DeployPartProps) {
  if (orgId === null || move === null) return null;
  return <OptionalPart code={deployDialog} props={{ ...move, onClose }} onFailure={onClose} />;
}
