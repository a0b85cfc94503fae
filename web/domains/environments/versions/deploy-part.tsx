/** The dialog of a deployment for what stands on every page: its code loads when it opens. */
import { codeApart } from '#web/ui/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/optional-part.tsx';
import type { DeployDialogProps } from './deploy-dialog.tsx';

const deployDialog = codeApart(async () => (await import('./deploy-dialog.tsx')).DeployDialog);

/** A version, and the environment as the user saw it on choosing to deploy there. */
export type Move = Pick<DeployDialogProps, 'version' | 'chosen'>;

export interface DeployPartProps {
  readonly orgId: string | null;
  /** Null: closed. */
  readonly move: Move | null;
  readonly onClose: () => void;
}

export function DeployPart({ orgId, move, onClose }: DeployPartProps) {
  if (orgId === null || move === null) return null;
  return <OptionalPart code={deployDialog} props={{ orgId, ...move, onClose }} onFailure={onClose} />;
}
