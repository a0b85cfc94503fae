/** A placeholder for a page that does not exist yet: what it is for, and what to use until then. */
import { Box, Group, Stack, Text, Title } from '@mantine/core';
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
        <Stack gap={6} miw={0} maw="62ch">
          <Title order={2} fz="1.0625rem">
            Under Construction
          </Title>
          <Text c="dimmed" component="p" m={0}>
            {children}
          </Text>
        </Stack>
      </div>
      <ul className={classes.planned} aria-label="What will be here">
        {planned.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex top gap-12">
            <Box
              component="span"
              flex="none"
              c="dimmed"
              bdrs="md"
              w={36}
              h={36}
              bd="1px dashed var(--line-strong)"
              className="centre"
            >
              <Icon size={17} stroke={1.6} aria-hidden />
            </Box>
            <div>
              <div className="medium">{title}</div>
              <Box c="dimmed" fz="sm" mt={2}>
                {text}
              </Box>
            </div>
          </li>
        ))}
      </ul>
      <div className={classes.foot}>
        <Box component="p" m={0} c="dimmed" flex="1 1 320px">
          {meanwhile}
        </Box>
        <Group gap={8}>{actions}</Group>
      </div>
    </div>
  );
}
