/** One changed field, before and after. */
import { Box, Flex, Stack } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { CodeDiff } from '#web/ui/code-diff/code-diff.tsx';
import { PropertyValueView } from '#web/values/kinds/property-value.tsx';
import type { ChangeLine, Shown } from './describe-changes.ts';
import classes from './diff.module.css';

/** `isWhole`: the item is added or removed, so only one side exists. */
export function DiffChange({ line, isWhole }: { line: ChangeLine; isWhole: boolean }) {
  const { label, from, to } = line;
  if (from?.kind === 'source' && to?.kind === 'source') {
    return (
      <Stack gap={4}>
        <span className="muted">{label}</span>
        <CodeDiff from={from.text} to={to.text} fromLabel="Before" toLabel="After" />
      </Stack>
    );
  }
  return (
    <Flex gap="0 10px" wrap="wrap" align="baseline" miw={0}>
      <span className="muted">{label}</span>
      {isWhole ? (
        <ShownSide shown={to ?? from} />
      ) : (
        <Box component="span" miw={0} className="inline-flex baseline wrap" style={{ gap: '0 8px' }}>
          <span className="shrink">
            <ShownSide shown={from} />
          </span>
          <Flex component="span" display="inline-flex" align="baseline" gap={8} miw={0}>
            <IconArrowRight size={14} className={classes.arrow} role="img" aria-label="becomes" />
            <ShownSide shown={to} />
          </Flex>
        </Box>
      )}
    </Flex>
  );
}

function ShownSide({ shown }: { shown: Shown | null }) {
  if (shown === null) return <span className="faint">none</span>;
  switch (shown.kind) {
    case 'value':
      return <PropertyValueView type={shown.type ?? undefined} bounds={shown.bounds} value={shown.value} />;
    case 'code':
      return <code className="shrink small breaks">{shown.text}</code>;
    case 'text':
    case 'source':
      return <span className="shrink breaks">{shown.text}</span>;
  }
}
