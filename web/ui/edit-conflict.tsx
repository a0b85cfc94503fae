/**
 * Says in a form that somebody else changed the same thing meanwhile: where both changed a field, both values and a way
 * to take the other one; where only they did, that their change is in the form now. Nothing that was typed is lost.
 */
import { Button } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
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
  readonly fields: readonly ConflictingField[];
  /** The names of fields that only the other one changed. */
  readonly taken: readonly string[];
  /** What the form's button is called. */
  readonly saveLabel: string;
}

export function EditConflict({ what, fields, taken, saveLabel }: EditConflictProps) {
  return (
    <div role="alert" className={classes.notice}>
      <IconArrowsSplit2 size={16} aria-hidden className={classes.icon} />
      <div className={classes.content}>
        <p className={classes.title}>{what} was changed by somebody else meanwhile</p>
        <p className={classes.words}>
          Nothing is saved yet, and what you entered is kept.
          {taken.length > 0 && ` Their change of ${taken.join(', ')} is in the form now.`}
          {fields.length > 0
            ? ` You both changed the following: “${saveLabel}” keeps yours.`
            : ` Look it over, then choose “${saveLabel}” again.`}
        </p>
        {fields.length > 0 && (
          <dl className={classes.fields}>
            {fields.map(({ name, mine, theirs, onTake }) => (
              <div key={name} className={classes.field}>
                <dt>{name}</dt>
                <dd>
                  <span className={classes.side}>Yours</span>
                  <span className={classes.shown}>{mine}</span>
                </dd>
                <dd>
                  <span className={classes.side}>Stands now</span>
                  <span className={classes.shown}>{theirs}</span>
                  <Button size="compact-xs" variant="default" onClick={onTake}>
                    Take this
                  </Button>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}
