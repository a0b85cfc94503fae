/**
 * The last section of a page, for an action that cannot be undone: its effect, and a button that opens a confirmation.
 */
import { Button } from '@mantine/core';
import { Section } from './section.tsx';

export interface DangerSectionProps {
  /** 'Delete this feature'. */
  readonly title: string;
  readonly description: string;
  /** 'Delete Data export'. */
  readonly label: string;
  readonly onAct: () => void;
  /** The description gives the reason. */
  readonly isDisabled?: boolean;
}

export function DangerSection({ title, description, label, onAct, isDisabled = false }: DangerSectionProps) {
  return (
    <Section
      isDanger
      title={title}
      description={description}
      actions={
        <Button color="red" variant="outline" maw="100%" disabled={isDisabled} onClick={onAct}>
          {label}
        </Button>
      }
    />
  );
}
