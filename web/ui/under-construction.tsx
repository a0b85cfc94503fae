/** A placeholder for a page that does not exist yet: what it is for, and what to use until then. */
import { Group, Text, Title } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Mosaic } from './mosaic.tsx';
import classes from './under-construction.module.css';

export interface PlannedThing {
  readonly icon: TablerIcon;
  readonly title: string;
  readonly text: string;
}

export interface UnderConstructionProps {
  /** The page's purpose, in one or two sentences. */
  readonly children: ReactNode;
  readonly planned: readonly PlannedThing[];
  /** What to use until then, as a sentence. */
  readonly meanwhile: string;
  /** Links to it. */
  readonly actions: ReactNode;
}

export function UnderConstruction({ children, planned, meanwhile, actions }: UnderConstructionProps) {
  return (
    <div className="card hidden">
      <div className={classes.head}>
        <Mosaic columns={6} rows={3} seed={31} density={0.6} className="rigid" />
        <div className={classes.words}>
          <Title order={2} className={classes.title}>
            Under Construction
          </Title>
          <Text c="dimmed" component="p" m={0}>
            {children}
          </Text>
        </div>
      </div>
      <ul className={classes.planned} aria-label="What will be here">
        {planned.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex top gap-12">
            <span className={classes.tile}>
              <Icon size={17} stroke={1.6} aria-hidden />
            </span>
            <div>
              <div className="medium">{title}</div>
              <div className={classes.thingWords}>{text}</div>
            </div>
          </li>
        ))}
      </ul>
      <div className={classes.foot}>
        <p className={classes.meanwhile}>{meanwhile}</p>
        <Group gap={8}>{actions}</Group>
      </div>
    </div>
  );
}
