/**
 * State of a create dialog's form. The dialog closes once the item is created, and closing resets the form. Spread
 * `dialog` into the FormDialog.
 */
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { FormErrors } from '#web/api/check-form.ts';
import { showFormError as showAtFieldOrToast } from './show-form-error.ts';
import { useKeptForm } from './use-kept-draft.ts';

export interface CreateFormOptions<Values extends object, Created> {
  readonly initialValues: Values;
  readonly validate: (values: Values) => FormErrors;
  /** Its mutation has `isErrorShown`. */
  readonly create: {
    readonly isPending: boolean;
    readonly mutate: (
      values: Values,
      callbacks: { onSuccess: (created: Created) => void; onError: (error: Error) => void },
    ) => void;
  };
  readonly onClose: () => void;
  /** Called after the dialog has closed. */
  readonly onCreated?: (created: Created) => void;
  /** By default an error is shown once: beside the fields that it names, otherwise in a toast. */
  readonly showFormError?: (form: UseFormReturnType<Values>, error: Error) => void;
}

export function useCreateForm<Values extends object, Created>(options: CreateFormOptions<Values, Created>) {
  const { initialValues, validate, create, onCreated, showFormError = showAtFieldOrToast } = options;
  const form = useForm<Values>({ initialValues, validate });
  useKeptForm('create', form);
  const onClose = () => {
    form.reset();
    options.onClose();
  };
  const onSubmit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess: (created) => {
        onClose();
        onCreated?.(created);
      },
      onError: (error) => showFormError(form, error),
    }),
  );
  const isDirtyNow = () => form.isDirty();
  return {
    form,
    dialog: { onClose, onSubmit, isBusy: create.isPending, isDirty: form.isDirty(), isDirtyNow },
  };
}
