/** The changes of one feature, plan, workflow or of the workspace, in a collapsible card. */
import { Box, UnstyledButton } from '@mantine/core';
import {
  IconBox,
  IconChevronRight,
  IconCode,
  IconListDetails,
  IconPencil,
  IconPlus,
  IconScale,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { DiffItem } from '#contracts/console/artifacts';
import { describeChanges } from './describe-changes.ts';
import classes from './diff.module.css';
import { DiffChange } from './diff-change.tsx';
import { countsLabel, type DiffGroup, type DiffRow, type DiffType } from './group-diff.ts';

const KINDS: Record<DiffGroup['kind'], { readonly word: string; readonly icon: TablerIcon }> = {
  feature: { word: 'Feature', icon: IconBox },
  plan: { word: 'Plan', icon: IconListDetails },
  workflow: { word: 'Workflow', icon: IconCode },
  workspace: { word: 'Workspace', icon: IconScale },
};

const TYPES: Record<DiffType, { readonly word: string; readonly icon: TablerIcon; readonly tone: string }> = {
  add: { word: 'Added', icon: IconPlus, tone: 'allowed' },
  modify: { word: 'Changed', icon: IconPencil, tone: 'accent' },
  remove: { word: 'Removed', icon: IconTrash, tone: 'denied' },
};

export function DiffGroupCard({ group, isOpenAtFirst }: { group: DiffGroup; isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { kind, name, rows, counts } = group;
  const { word, icon: Icon } = KINDS[kind];
  return (
    <section className={classes.group} aria-label={`${word} ${name}`}>
      <UnstyledButton className={classes.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={15} aria-hidden className={classes.chevron} />
        <Icon size={16} stroke={1.6} aria-hidden className="rigid muted" />
        <span className="shrink bold breaks">{name}</span>
        <span className={`faint small ${classes.kind}`}>{word}</span>
        <span className={classes.counts}>{countsLabel(counts)}</span>
      </UnstyledButton>
      {isOpen && (
        <Box component="ul" className="list divided" style={{ borderTop: '1px solid var(--line)' }}>
          {rows.map((row) => (
            <Row key={`${row.item.itemType} ${row.item.itemId}`} row={row} kindWord={word} />
          ))}
        </Box>
      )}
    </section>
  );
}

/** A property by its name, with the key that applications read beside it. */
function RowLabel({ item: { itemType, property }, label }: { item: DiffItem; label: string }) {
  if (property === null) return label;
  const { featureName, name, key } = property;
  return (
    <>
      {itemType === 'plan-value' && <span className="muted">{`${featureName} › `}</span>}
      {name} <code className="faint tiny">{key}</code>
    </>
  );
}

function Row({ row: { item, label }, kindWord }: { row: DiffRow; kindWord: string }) {
  const { word, icon: Icon, tone } = TYPES[item.type];
  const isWhole = item.type !== 'modify';
  const all = describeChanges(item);
  const source = all.find(({ to }) => to?.kind === 'source');
  const lines = all.filter((line) => line !== source);
  return (
    <li className={classes.row}>
      <span className={classes.type} data-type={item.type}>
        <span className={`${classes.typeTile} ${tone}`}>
          <Icon size={12} stroke={2} aria-hidden />
        </span>
        {word}
      </span>
      <span className={`breaks ${classes.label}`} data-itself={label === null || undefined}>
        <RowLabel item={item} label={label ?? `${kindWord} itself`} />
      </span>
      <div className={`column shrink gap-4 ${classes.changes}`} data-whole={isWhole || undefined}>
        {lines.map((line) => (
          <DiffChange key={line.label} line={line} isWhole={isWhole} />
        ))}
      </div>
      {source !== undefined && (
        <div className="shrink whole-line">
          <DiffChange line={source} isWhole={isWhole} />
        </div>
      )}
    </li>
  );
}
