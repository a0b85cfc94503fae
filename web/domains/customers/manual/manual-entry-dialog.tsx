/** The dialog that creates a manual grant or override: the caller's fields, then environment, end and reason. */
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Environment } from '#contracts/console/environments';
import type { FormErrors } from '#web/api/check-form.ts';
import { showFormError } from '#web/forms/show-form-error.ts';
import { useCreateForm } from '#web/forms/use-create-form.ts';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { type EntryTerms, ManualEntryFields, type TermsForm } from './manual-entry-fields.tsx';

export interface DialogState {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export interface ManualEntryDialogProps<Values extends EntryTerms, Body, Created> extends DialogState {
  readonly title: string;
  readonly submitLabel: string;
  readonly size?: number;
  readonly initialValues: Values;
  readonly validate: (values: Values) => FormErrors;
  readonly bodyOf: (values: Values) => Body;
  readonly create: {
    readonly isPending: boolean;
    readonly mutate: (
      body: Body,
      answer: { onSuccess: (created: Created) => void; onError: (error: Error) => void },
    ) => void;
  };
  readonly toastOf: (created: Created) => { readonly title: string; readonly description: string };
  readonly environments: readonly Environment[];
  readonly children: (form: UseFormReturnType<Values>) => ReactNode;
}

export function ManualEntryDialog<Values extends EntryTerms, Body, Created>(
  props: ManualEntryDialogProps<Values, Body, Created>,
) {
  const { isOpen, title, submitLabel, size, create, bodyOf, toastOf, environments, children } = props;
  const { form, dialog } = useCreateForm<Values, Created>({
    initialValues: props.initialValues,
    validate: props.validate,
    create: { ...create, mutate: (values, answer) => create.mutate(bodyOf(values), answer) },
    onClose: props.onClose,
    onCreated: (created) => {
      const { title: toastTitle, description } = toastOf(created);
      toast.success(toastTitle, { description });
    },
    showFormError,
  });
  return (
    <FormDialog
      {...dialog}
      param="environment"
      isOpen={isOpen}
      title={title}
      submitLabel={submitLabel}
      {...(size !== undefined && { size })}
    >
      {children(form)}
      <ManualEntryFields form={form as unknown as TermsForm} environments={environments} />
    </FormDialog>
  );
}
