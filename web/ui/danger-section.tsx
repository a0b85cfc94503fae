/** What cannot be undone, last on a page and apart: what it does in words, and the one button that asks before it. */
import { Button } from '@mantine/core';
import { Section } from './section.tsx';

export interface DangerSectionProps {
  /** 'Delete this feature'. */
  readonly title: string;
  readonly description: string;
  /** 'Delete Data export'. */
  readonly label: string;
  readonly onAct: () => void;
  /** The description says why. */
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
