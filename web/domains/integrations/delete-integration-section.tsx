/** The last section of an integration's page: deletes the integration after a confirmation. */
import type { ReactNode } from 'react';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { sentence } from '#web/ui/format.ts';
import { RemovalSection } from '#web/ui/page/removal-section.tsx';

export interface DeleteIntegrationSectionProps<Integration> {
  readonly integration: Integration;
  readonly description: string;
  readonly remove: {
    readonly isPending: boolean;
    readonly mutate: (integration: Integration, answer: { onSuccess: () => void }) => void;
  };
  readonly onDeleted: () => void;
  /** Customers or running software would lose something: the confirmation asks for the integration's name. */
  readonly isCostly?: boolean;
  /** The confirmation's text. */
  readonly children: ReactNode;
}

export function DeleteIntegrationSection<Integration extends { readonly name: string }>(
  props: DeleteIntegrationSectionProps<Integration>,
) {
  const { integration, description, remove, onDeleted, isCostly = false, children } = props;
  const label = sentence`Delete ${integration.name}`;
  const confirm = () =>
    remove.mutate(integration, {
      onSuccess: () => {
        toast.success(sentence`${integration.name} deleted`);
        onDeleted();
      },
    });
  return (
    <RemovalSection title="Delete this integration" description={description} label={label}>
      {(isAsking, close) => (
        <ConfirmDialog
          isOpen={isAsking}
          onClose={close}
          title={`${label}?`}
          confirmLabel={label}
          typedName={isCostly ? integration.name : undefined}
          onConfirm={confirm}
          isBusy={remove.isPending}
        >
          {children}
        </ConfirmDialog>
      )}
    </RemovalSection>
  );
}
