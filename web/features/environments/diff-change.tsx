/** One changed field: from what to what, values looking as they do everywhere. */
import { IconArrowRight } from '@tabler/icons-react';
import { PropertyValueView } from '../../values/property-value.tsx';
import type { ChangeLine, Shown } from './describe-changes.ts';
import classes from './diff.module.css';

/** `isWhole`: the whole item is added or removed, so there is one side only. */
export function DiffChange({ line, isWhole }: { line: ChangeLine; isWhole: boolean }) {
  const { label, from, to } = line;
  return (
    <div className={classes.change}>
      <span className={classes.field}>{label}</span>
      {isWhole ? (
        <ShownSide shown={to ?? from} />
      ) : (
        <span className={classes.sides}>
          <span className={classes.from}>
            <ShownSide shown={from} />
          </span>
          <span className={classes.to}>
            <IconArrowRight size={14} className={classes.arrow} role="img" aria-label="becomes" />
            <ShownSide shown={to} />
          </span>
        </span>
      )}
    </div>
  );
}

function ShownSide({ shown }: { shown: Shown | null }) {
  if (shown === null) return <span className={classes.nothing}>none</span>;
  switch (shown.kind) {
    case 'value':
      return <PropertyValueView type={shown.type} bounds={shown.bounds} value={shown.value} />;
    case 'code':
      return <code className={classes.code}>{shown.text}</code>;
    case 'text':
      return <span className={classes.text}>{shown.text}</span>;
  }
}
