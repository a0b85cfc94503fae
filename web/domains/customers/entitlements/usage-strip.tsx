/** What a customer has used of its limits, nearest the limit first. */
import { Flex, SimpleGrid } from '@mantine/core';
import type { Entitlement } from '#contracts/console/customers';
import { formatNumber } from '#web/ui/format.ts';
import { Meter, MeterMark } from '#web/ui/labels/meter.tsx';
import { levelOf } from '#web/values/meter-level.ts';
import { CostLine } from '../costs/cost-line.tsx';
import { costNotes } from '../costs/cost-notes.ts';
import { type MeteredAnswer, meterWindow } from './meter-window.ts';

const MAX_SHOWN = 4;

const takenShare = ({ used, held = 0, limit }: Pick<MeteredAnswer, 'used' | 'held' | 'limit'>) =>
  (used + held) / (limit || 1);

export function UsageStrip({ entitlements }: { readonly entitlements: readonly Entitlement[] }) {
  const notes = costNotes(entitlements);
  const meters = entitlements
    .flatMap(({ propertyId, feature, property, value, meter }) =>
      meter?.state === 'metered' && typeof value === 'object' && value.state === 'metered'
        ? [
            {
              ...{ propertyId, name: `${feature}.${property}` },
              ...{ window: meterWindow(meter, value.meter), level: levelOf(meter) },
              ...meter,
            },
          ]
        : [],
    )
    .toSorted((one, other) => takenShare(other) - takenShare(one))
    .slice(0, MAX_SHOWN);
  if (meters.length === 0) return null;
  return (
    <SimpleGrid
      component="ul"
      cols={{ base: 1, xs: Math.min(2, meters.length), md: meters.length }}
      spacing={12}
      className="list"
      aria-label="Usage"
    >
      {meters.map(({ propertyId, name, used, held = 0, limit, window, level }) => (
        <Flex
          key={propertyId}
          component="li"
          direction="column"
          gap={6}
          className="card"
          style={{ padding: '12px 16px' }}
        >
          <code className="muted tiny truncate">{name}</code>
          <Flex component="span" align="baseline" gap="2px 6px" wrap="wrap" className="figures small">
            <span>
              <strong>{formatNumber(used)}</strong> of {formatNumber(limit)}{' '}
              <span className="muted">{window}</span>
            </span>
            {held > 0 && <span className="muted">{formatNumber(held)} held</span>}
            <MeterMark level={level} />
          </Flex>
          <Meter {...{ used, held, limit, level }} isThin />
          <CostLine note={notes.get(propertyId)} />
        </Flex>
      ))}
    </SimpleGrid>
  );
}
