/**
 * State of a create dialog's form. The dialog closes once the item is created, and closing resets the form. Spread
 * `dialog` into the FormDialog.
 */
import { type UseFormReturnType, useForm } from '@mantine/form';
import { errorsOf, type FormErrors } from '#web/api/check-form.ts';
import { useKeptDraft } from './use-kept-draft.ts';

export interface CreateFormOptions<Values extends object, Created> {
  readonly initialValues: Values;
  readonly validate: (values: Values) => FormErrors;
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
  /** For mutations with `isErrorShown`: shows the whole error. By default the form shows field errors only. */
  readonly showFormError?: (form: UseFormReturnType<Values>, error: Error) => void;
}

export function useCreateForm<Values extends object, Created>(options: CreateFormOptions<Values, Created>) {
  const { initialValues, validate, create, onCreated, showFormError = showAtFields } = options;
  const form = useForm<Values>({ initialValues, validate });
  useKeptDraft({
    name: `create ${Object.keys(initialValues).join()}`,
    isDirty: form.isDirty(),
    values: form.values,
    restore: (typed) => form.setValues({ ...form.values, ...typed }),
  });
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
  return { form, dialog: { onClose, onSubmit, isBusy: create.isPending, isDirty: form.isDirty() } };
}

function showAtFields(form: Pick<UseFormReturnType<object>, 'setErrors'>, error: Error): void {
  form.setErrors(errorsOf(error));
}
