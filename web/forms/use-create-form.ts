/**
 * The form of a dialog that makes one thing: empty again whenever the dialog is closed, which it is once the thing is
 * made. `dialog` is what its FormDialog takes of it.
 */
import { type UseFormReturnType, useForm } from '@mantine/form';
import { errorsOf, type FormErrors } from '../api/check-form.ts';

export interface CreateFormOptions<Values extends object, Made> {
  readonly initialValues: Values;
  readonly validate: (values: Values) => FormErrors;
  readonly create: {
    readonly isPending: boolean;
    readonly mutate: (
      values: Values,
      answer: { onSuccess: (made: Made) => void; onError: (error: Error) => void },
    ) => void;
  };
  readonly onClose: () => void;
  /** Called once the dialog is closed. */
  readonly onCreated?: (made: Made) => void;
  /** For mutations that leave it to the form to say what went wrong; else it says only what concerns its fields. */
  readonly showRefusal?: (form: UseFormReturnType<Values>, error: Error) => void;
}

export function useCreateForm<Values extends object, Made>(options: CreateFormOptions<Values, Made>) {
  const { initialValues, validate, create, onCreated, showRefusal = showAtFields } = options;
  const form = useForm<Values>({ initialValues, validate });
  const onClose = () => {
    form.reset();
    options.onClose();
  };
  const onSubmit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess: (made) => {
        onClose();
        onCreated?.(made);
      },
      onError: (error) => showRefusal(form, error),
    }),
  );
  return { form, dialog: { onClose, onSubmit, isBusy: create.isPending, isDirty: form.isDirty() } };
}

function showAtFields(form: Pick<UseFormReturnType<object>, 'setErrors'>, error: Error): void {
  form.setErrors(errorsOf(error));
}
