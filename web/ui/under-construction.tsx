/** In place of a page that is not there yet: what it will hold, and what to do meanwhile. It promises no date. */
import { Group, Text, Title } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Mosaic } from './mosaic.tsx';
import classes from './under-construction.module.css';

export interface PlannedThing {
  readonly icon: TablerIcon;
  readonly title: string;
  readonly words: string;
}

export interface UnderConstructionProps {
  /** What the page is for, in one or two sentences. */
  readonly children: ReactNode;
  readonly planned: readonly PlannedThing[];
  /** What serves until then, as a sentence. */
  readonly meanwhile: string;
  /** Where that is: links. */
  readonly actions: ReactNode;
}

export function UnderConstruction({ children, planned, meanwhile, actions }: UnderConstructionProps) {
  return (
    <div className={classes.card}>
      <div className={classes.head}>
        <Mosaic columns={6} rows={3} seed={31} density={0.6} className={classes.mosaic} />
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
        {planned.map(({ icon: Icon, title, words }) => (
          <li key={title} className={classes.thing}>
            <span className={classes.tile}>
              <Icon size={17} stroke={1.6} aria-hidden />
            </span>
            <div>
              <div className={classes.thingTitle}>{title}</div>
              <div className={classes.thingWords}>{words}</div>
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
