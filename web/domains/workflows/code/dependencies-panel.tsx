/** What the code can refer to: plan slugs, and the feature's properties. A click inserts one at the cursor. */
import { Box, Stack, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './code.module.css';
import type { WorkflowDependencies } from './declarations.ts';

export interface DependenciesPanelProps {
  readonly dependencies: WorkflowDependencies;
  readonly onInsert: (text: string) => void;
}

/** More are found by completion in the editor. */
const SHOWN = 50;

export function DependenciesPanel({ dependencies, onInsert }: DependenciesPanelProps) {
  const { type, planSlugs, feature } = dependencies;
  return (
    <Stack gap={16} py={12}>
      <Box component="p" px={16} className="muted tiny flush">
        Names your code can use. Select one to insert it at the cursor.
      </Box>
      {type === 'feature-behaviour' && (
        <Group title={feature === null ? 'Deleted feature' : `Properties of ${feature.slug}`}>
          {feature?.properties.map(({ propertyKey, type: valueType }) => (
            <Item key={propertyKey} text={propertyKey} detail={valueType} onInsert={onInsert} />
          ))}
        </Group>
      )}
      <Group title="Plans">
        {planSlugs.slice(0, SHOWN).map((slug) => (
          <Item key={slug} text={slug} onInsert={onInsert} />
        ))}
        {planSlugs.length === 0 && <li className="muted small">No plans yet</li>}
        {planSlugs.length > SHOWN && <li className="muted small">and {planSlugs.length - SHOWN} more</li>}
      </Group>
    </Stack>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Box component="h3" px={16} pb={4} className="muted tiny medium flush breaks">
        {title}
      </Box>
      <ul className={classes.items}>{children}</ul>
    </section>
  );
}

interface ItemProps {
  readonly text: string;
  readonly detail?: string;
  readonly onInsert: (text: string) => void;
}

function Item({ text, detail, onInsert }: ItemProps) {
  return (
    <li>
      <UnstyledButton
        className={classes.item}
        title="Insert at the cursor"
        onClick={() => onInsert(JSON.stringify(text).replaceAll('"', "'"))}
      >
        <span className="truncate">{text}</span>
        {detail !== undefined && <span className="faint tiny">{detail}</span>}
      </UnstyledButton>
    </li>
  );
}
