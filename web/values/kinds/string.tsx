import { Box } from '@mantine/core';
import { sentence } from '#web/ui/format.ts';
import type { KindView } from './kind.ts';

export const stringView: KindView<string> = {
  label: 'String',
  description: 'Any text',
  view: (text) => (
    <Box
      component="span"
      fz="sm"
      ff="monospace"
      display="inline-block"
      maw="100%"
      className="truncate"
      style={{ verticalAlign: 'bottom' }}
      title={text.length > 40 ? text : undefined}
    >
      "{text}"
    </Box>
  ),
  text: (value) => sentence`“${value}”`,
  /** Texts are compared by code point. */
  ruleLabel: (rule) =>
    rule === 'lower'
      ? 'First in character order wins (Z before a)'
      : 'Last in character order wins (a after Z)',
};
