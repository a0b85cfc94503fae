/** Confirms that a plan or feature gets another slug: what uses the one that it has. */
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { ItemUses } from './item-uses.tsx';
import type { NamedItem } from './item-uses-query.ts';
import { StillDeployed } from './still-deployed.tsx';

export interface SlugDialogProps {
  readonly item: NamedItem;
  /** Of useEditForm. Closed while there is nothing after. */
  readonly question: {
    readonly before: { readonly slug: string };
    readonly after: { readonly slug: string } | null;
    readonly onConfirm: () => void;
    readonly onClose: () => void;
  };
}

export function SlugDialog({ item, question: { before, after, onConfirm, onClose } }: SlugDialogProps) {
  const to = after?.slug ?? null;
  const shown = useLastValue(to) ?? '';
  const asked = to === null ? null : item;
  return (
    <ConfirmDialog
      isOpen={to !== null}
      onClose={onClose}
      title="Change the slug?"
      confirmLabel="Change slug"
      onConfirm={onConfirm}
      isBusy={false}
      isDanger={false}
      size={480}
    >
      <p className="flush breaks">
        <code>{before.slug}</code> becomes <code>{shown}</code>. Code that uses the old slug, in workflows or
        in your application, no longer finds it where a version with the new one is deployed.
      </p>
      <ItemUses item={asked} />
      <StillDeployed item={asked} change="rename" />
    </ConfirmDialog>
  );
}
