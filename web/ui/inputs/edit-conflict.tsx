/**
 * Shown in a form when somebody else saved the same item. For fields that both changed, it shows both values and a
 * button to take the other one; fields that only the other person changed are already updated. No input is lost.
 */
import { Button, Stack, Text } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Notice } from '../states/notice.tsx';
import classes from './edit-conflict.module.css';

export interface ConflictingField {
  readonly name: string;
  readonly mine: ReactNode;
  readonly theirs: ReactNode;
  readonly onTake: () => void;
}

export interface EditConflictProps {
  /** 'The feature'. */
  readonly what: string;
  /** The other person's name. */
  readonly who: ReactNode;
  readonly fields: readonly ConflictingField[];
  /** The labels of the fields that only the other person changed. */
  readonly taken: readonly string[];
  /** The label of the form's button. */
  readonly saveLabel: string;
}

export function EditConflict({ what, who, fields, taken, saveLabel }: EditConflictProps) {
  return (
    <Notice
      role="alert"
      icon={IconArrowsSplit2}
      title={
        <>
          {what} was changed by {who} in the meantime
        </>
      }
    >
      <p>
        Nothing is saved yet. What you entered is kept.
        {taken.length > 0 && ` The form now contains the saved change to ${taken.join(', ')}.`}
        {fields.length > 0
          ? ` The following were changed on both sides. “${saveLabel}” keeps yours.`
          : ` Review it, then choose “${saveLabel}” again.`}
      </p>
      {fields.length > 0 && (
        <Stack component="dl" gap={12} mt={12} mb={0}>
          {fields.map(({ name, mine, theirs, onTake }) => (
            <div key={name} className={classes.field}>
              <dt>{name}</dt>
              <dd>
                <Text span flex="none" c="dimmed" fz="xs" w={76}>
                  Yours
                </Text>
                <span className="shrink breaks">{mine}</span>
              </dd>
              <dd>
                <Text span flex="none" c="dimmed" fz="xs" w={76}>
                  Current
                </Text>
                <span className="shrink breaks">{theirs}</span>
                <Button size="compact-xs" variant="default" onClick={onTake}>
                  Take this
                </Button>
              </dd>
            </div>
          ))}
        </Stack>
      )}
    </Notice>
  );
}
