/** The Activity page's filters, which the URL has. */
import { useState } from 'react';
import type { ActivityFilter, ActivityKind } from '#contracts/console/activity';
import { now } from '#web/clock.ts';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { isRange, RANGES, type Range } from '#web/values/time-ranges.ts';
import { KIND_LABELS } from './describe-activity.ts';

export interface ActivitySearch {
  readonly actor: string | undefined;
  readonly target: string | undefined;
  readonly kind: ActivityKind | undefined;
  readonly range: Range | undefined;
}

const isKind = (text: string | null): text is ActivityKind =>
  text !== null && Object.hasOwn(KIND_LABELS, text);

export function useActivitySearch() {
  const [params, changeParams] = useAddressParams();
  // A range ends when the page was opened, so that pages of the list fit together.
  const [openedAt] = useState(now);
  const kind = params.get('kind');
  const range = params.get('range') ?? '';
  const search: ActivitySearch = {
    actor: params.get('actor') ?? undefined,
    target: params.get('target') ?? undefined,
    kind: isKind(kind) ? kind : undefined,
    range: isRange(range) ? range : undefined,
  };
  const { actor, target } = search;
  const filter: ActivityFilter = {
    ...(actor !== undefined && { actor }),
    ...(target !== undefined && { target }),
    ...(search.kind !== undefined && { kind: search.kind }),
    ...(search.range !== undefined && { from: openedAt - RANGES[search.range].lengthMs }),
  };
  const change = (changes: Partial<Record<keyof ActivitySearch, string | undefined>>) =>
    changeParams(Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? null])));
  return { search, filter, change };
}
