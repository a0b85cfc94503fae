/** Inserts an example that fits the workflow. */
import { Button, Menu } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import classes from './code.module.css';
import type { WorkflowDependencies } from './declarations.ts';
import { examplesOf } from './examples.ts';

export interface ExamplesMenuProps {
  readonly dependencies: WorkflowDependencies;
  readonly onChoose: (code: string) => void;
}

export function ExamplesMenu({ dependencies, onChoose }: ExamplesMenuProps) {
  const examples = examplesOf(dependencies);
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button
          variant="default"
          aria-label="Examples"
          classNames={{ section: classes.examplesIcon ?? '' }}
          leftSection={<IconBulb size={15} aria-hidden />}
        >
          <span className={classes.examplesLabel}>Examples</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {examples.length === 0 ? (
          <Menu.Label>
            {dependencies.type === 'dynamic-provisioning'
              ? 'Create a plan first. Examples return its slug.'
              : 'The feature was deleted, so there are no examples.'}
          </Menu.Label>
        ) : (
          <>
            <Menu.Label>Replaces the code. You can undo it.</Menu.Label>
            {examples.map(({ title, description, code }) => (
              <Menu.Item key={title} onClick={() => onChoose(code)}>
                {title}
                <span className="one-line muted tiny">{description}</span>
              </Menu.Item>
            ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
