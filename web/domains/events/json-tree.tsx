/**
 * JSON as a collapsible tree. A value too large for a tree is shown as text, of which only the beginning is rendered, so that
 * no recorded value can freeze the page. Copying always copies all of it.
 */
import { Box } from '@mantine/core';
import { JsonView } from 'react-json-view-lite';
import { CopyBadge } from '#web/ui/copy/copy-badge.tsx';
import { SheetSection } from '#web/ui/dialogs/sheet-section.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { isTreeSized, MAX_TEXT, openLevels } from './json-size.ts';
import classes from './json-tree.module.css';
import viewer from './viewer.module.css';

const STYLES = {
  container: classes.tree ?? '',
  basicChildStyle: `list ${classes.child}`,
  childFieldsContainer: 'list',
  label: classes.label ?? '',
  clickableLabel: classes.label ?? '',
  nullValue: classes.word ?? '',
  undefinedValue: classes.word ?? '',
  booleanValue: classes.word ?? '',
  numberValue: classes.word ?? '',
  stringValue: classes.text ?? '',
  otherValue: classes.word ?? '',
  punctuation: 'faint',
  expandIcon: classes.expand ?? '',
  collapseIcon: classes.collapse ?? '',
  collapsedContent: classes.collapsed ?? '',
  noQuotesForStringValues: false,
  quotesForFieldNames: false,
  stringifyStringValues: true,
  ariaLables: { collapseJson: 'Collapse', expandJson: 'Expand' },
};

export function JsonTree({ title, value }: { title: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  const isTree = typeof value === 'object' && value !== null && isTreeSized(value);
  const levels = isTree ? openLevels(value) : 0;
  return (
    <SheetSection title={title} aside={<CopyBadge value={text} label={`the ${title.toLowerCase()}`} />}>
      {isTree ? (
        <div className={`well ${classes.frame}`} data-scrolls>
          <JsonView
            data={value}
            style={STYLES}
            shouldExpandNode={(level) => level < levels}
            clickToExpandNode
            aria-label={title}
          />
        </div>
      ) : (
        <Box component="pre" mah={480} className={`well ${viewer.code}`} tabIndex={0} data-scrolls>
          {text.slice(0, MAX_TEXT)}
          {text.length > MAX_TEXT && `\n… ${formatNumber(text.length - MAX_TEXT)} more characters`}
        </Box>
      )}
    </SheetSection>
  );
}
