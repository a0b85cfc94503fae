/** Opens the dialog that gives a customer a balance. Its code is loaded when it opens. */
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import type { AddBalanceProps } from './add-balance-dialog.tsx';

const addBalanceDialog = codeApart(async () => (await import('./add-balance-dialog.tsx')).AddBalanceDialog);

export function AddBalance(props: AddBalanceProps) {
  return (
    <OptionalPart
      key={props.environmentId}
      code={addBalanceDialog}
      isNeeded={props.meter !== null}
      props={props}
      onFailure={props.onClose}
    />
  );
}
