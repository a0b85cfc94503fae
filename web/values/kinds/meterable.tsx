import { Box } from '@mantine/core';
import type { Meter, MeterableValue } from '#contracts/public/values';
import { limitWindow } from '#engine/values/limit-window';
import { overageWords } from '#engine/values/overage-words';
import { rolloverWords } from '#engine/values/rollover-words';
import { formatNumber } from '#web/ui/format.ts';
import { Pill } from '../pill.tsx';
import { meterLabel, perEntityLabel, planCostsLabel } from '../value-labels.ts';
import { windowKind } from '../window-kind.ts';
import type { KindView } from './kind.ts';

const STATE_LABELS = { on: 'Unlimited', off: 'off' } as const;

export const meterableView: KindView<MeterableValue> = {
  label: 'Meterable',
  description: 'On, off, or up to a limit of uses',
  view(value) {
    if (value.state === 'off') return <Pill isOn={false} label={STATE_LABELS.off} />;
    const each = [perEntityLabel(value.perEntity), planCostsLabel(value.costs)].filter(Boolean).join(', ');
    const eachView = each !== '' && <span className="faint tiny figures breaks">{each}</span>;
    if (value.state === 'on') {
      const pill = <Pill isOn label={STATE_LABELS.on} />;
      return eachView ? (
        <Box component="span" className="inline-flex baseline wrap" style={{ gap: '0 10px' }}>
          {pill}
          {eachView}
        </Box>
      ) : (
        pill
      );
    }
    const { meter } = value;
    return (
      <Box component="span" className="inline-flex baseline wrap figures" style={{ gap: '0 10px' }}>
        <span title={windowKind(meter) ?? undefined}>
          <span className="small mono breaks">{formatNumber(meter.limit)}</span> {limitWindow(meter)}
        </span>
        {meter.trialLimit !== undefined && (
          <span className="faint tiny figures breaks">{formatNumber(meter.trialLimit)} in a trial</span>
        )}
        {meter.rollover !== undefined && (
          <span className="faint tiny figures breaks">{rolloverWords(meter.rollover)}</span>
        )}
        {meter.overage !== undefined && (
          <span className="faint tiny figures breaks">{overageWords(meter.overage)}</span>
        )}
        {eachView}
        {meter.uniqueResourceIds && <span className="faint tiny figures breaks">unique IDs</span>}
      </Box>
    );
  },
  text(value) {
    if (value.state === 'off') return STATE_LABELS.off;
    if (value.state === 'metered' && !isMeter(value.meter)) return JSON.stringify(value);
    const own = value.state === 'on' ? STATE_LABELS.on : meterLabel(value.meter);
    return [own, perEntityLabel(value.perEntity), planCostsLabel(value.costs)].filter(Boolean).join(', ');
  },
  ruleLabel(rule, limitOrder) {
    if (rule === 'sum') return 'The limits add up';
    const isHigher = rule === 'higher';
    if (limitOrder === 'limit') return isHigher ? 'The larger limit wins' : 'The smaller limit wins';
    const amount = isHigher ? 'more' : 'less';
    return `The limit that allows ${amount}${limitOrder === 'rate' ? ' in the same time' : ''} wins`;
  },
};

/** Without the schema, which lists need not load. */
function isMeter(value: unknown): value is Meter {
  const { limit, periodType, periodLength } = Object(value) as Partial<Meter>;
  if (typeof limit !== 'number') return false;
  return (
    periodType === 'lifetime' ||
    (['fixed', 'rolling', 'billing'].includes(String(periodType)) && typeof periodLength === 'string')
  );
}
