/**
 * Card of a form made by useEditForm: title and description beside the fields, the edit conflict above them, and below
 * them a save button that is disabled until a field changes. While the item loads, the fields are there without their
 * values. Leaving the page with unsaved changes needs a confirmation.
 */
import { Button, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { OtherPerson } from '#web/session/member-name.tsx';
import { UnsavedChanges } from '#web/ui/dialogs/unsaved-changes.tsx';
import { type ConflictingField, EditConflict } from '#web/ui/inputs/edit-conflict.tsx';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { Section } from '#web/ui/page/section.tsx';

export interface EditSectionProps {
  readonly title: string;
  readonly description: string;
  /** The edited item: 'The feature'. */
  readonly what: string;
  /** Where a page has several such forms. */
  readonly saveLabel?: string;
  /** The result of useEditForm. */
  readonly edit: {
    readonly isDirty: boolean;
    readonly isSaving: boolean;
    readonly isLoading: boolean;
    readonly submit: FormEventHandler<HTMLFormElement>;
    readonly conflict:
      | false
      | {
          readonly fields: readonly ConflictingField[];
          readonly taken: readonly string[];
          readonly changedBy: string | undefined;
        };
  };
  /** False once leaving the page needs no confirmation. */
  readonly isGuarded?: () => boolean;
  /** The viewer has no permission to edit. */
  readonly isReadOnly?: boolean;
  readonly children: ReactNode;
}

export function EditSection(props: EditSectionProps) {
  const { title, description, what, saveLabel = 'Save changes', edit, isGuarded, isReadOnly = false } = props;
  const { isDirty, isSaving, isLoading, submit, conflict } = edit;
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={() => isDirty && (isGuarded?.() ?? true)} />
      <Section
        isSplit
        title={title}
        description={description}
        footer={
          !isReadOnly && (
            <Button type="submit" disabled={!isDirty} loading={isSaving}>
              {saveLabel}
            </Button>
          )
        }
      >
        <Stack gap={16}>
          {conflict && (
            <EditConflict
              what={what}
              saveLabel={saveLabel}
              fields={conflict.fields}
              taken={conflict.taken}
              who={<OtherPerson userId={conflict.changedBy} />}
            />
          )}
          <Fields isDisabled={isReadOnly || isSaving} isLoading={isLoading}>
            {props.children}
          </Fields>
        </Stack>
      </Section>
    </form>
  );
}
