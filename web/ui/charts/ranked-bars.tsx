/** Items by size, each with a bar on one shared scale and its exact figure. A list, so it needs no table behind it. */
import { Box, Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { formatNumber } from '../format.ts';
import classes from './ranked-bars.module.css';

export interface RankedItem {
  readonly key: string;
  readonly label: ReactNode;
  /** From left to right; the sum is the item's size. Colours are custom properties. */
  readonly parts: readonly { readonly value: number; readonly colour: string; readonly label?: string }[];
  /** Shown instead of the sum. */
  readonly figure?: string;
  /** Where a click leads. */
  readonly to?: string;
}

export interface RankedBarsProps {
  /** For screen readers. */
  readonly label: string;
  readonly items: readonly RankedItem[];
  /** The size that fills the width. Default: the largest. */
  readonly highest?: number;
  /** Shown without items. */
  readonly empty: string;
}

/** More are shown by a button. */
const FIRST = 8;

const sizeOf = ({ parts }: RankedItem) => parts.reduce((sum, { value }) => sum + value, 0);

export function RankedBars({ label, items, highest, empty }: RankedBarsProps) {
  const scale = Math.max(1, highest ?? Math.max(...items.map(sizeOf)));
  const [isWhole, setIsWhole] = useState(false);
  if (items.length === 0) return <p className="note small">{empty}</p>;
  const isLong = items.length > FIRST + 1;
  return (
    <>
      <Box component="ol" pt={6} pb={10} className="list" aria-label={label}>
        {(isLong && !isWhole ? items.slice(0, FIRST) : items).map((item) => {
          const content = <Content item={item} scale={scale} />;
          return (
            <li key={item.key}>
              {item.to === undefined ? (
                <div className={classes.item}>{content}</div>
              ) : (
                <Link className={`hoverable inset-focus ${classes.item}`} to={item.to}>
                  {content}
                </Link>
              )}
            </li>
          );
        })}
      </Box>
      {isLong && (
        <Box px={8} pb={10}>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            aria-expanded={isWhole}
            onClick={() => setIsWhole(!isWhole)}
          >
            {isWhole ? 'Show fewer' : `Show all ${formatNumber(items.length)}`}
            <span className="visually-hidden">{label.toLowerCase()}</span>
          </Button>
        </Box>
      )}
    </>
  );
}

function Content({ item, scale }: { item: RankedItem; scale: number }) {
  return (
    <>
      <span className="truncate">{item.label}</span>{' '}
      <span className="figures">{item.figure ?? formatNumber(sizeOf(item))}</span>
      <span className={classes.track} aria-hidden>
        {item.parts.map(
          ({ value, colour }) =>
            value > 0 && (
              <span
                key={colour}
                style={{
                  width: `max(2px, ${Math.min(100, (value / scale) * 100)}%)`,
                  background: `var(${colour})`,
                }}
              />
            ),
        )}
      </span>
      <span className="visually-hidden">
        {item.parts
          .flatMap(({ label, value }) => (label ? `${formatNumber(value)} ${label}` : []))
          .join(', ')}
      </span>
    </>
  );
}
