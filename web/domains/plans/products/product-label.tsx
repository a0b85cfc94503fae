/** A product or price in the plan's card and dialog: name, id, account and mode. */
import { Flex, Group } from '@mantine/core';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { ModeBadge } from '#web/ui/labels/mode-badge.tsx';
import type { LinkedProduct } from './linked-products.ts';

/** @param isCopyable a click copies the id; false where a click selects the product */
export function ProductLabel({
  product,
  productId,
  priceId,
  priceName,
  isCopyable = false,
}: LinkedProduct & { isCopyable?: boolean }) {
  return (
    <>
      <Flex component="span" direction="column" flex={1} miw={0}>
        <span className="medium breaks">
          {product?.name ?? 'No longer in Stripe'}
          {priceId !== undefined && ` · ${priceName || priceId}`}
        </span>{' '}
        <Group component="span" gap="2px 12px" className="muted small breaks">
          {isCopyable ? (
            <CopyId value={priceId ?? productId} label={priceId === undefined ? 'product ID' : 'price ID'} />
          ) : (
            <code className="shrink">{priceId ?? productId}</code>
          )}
          {product !== null && <span>{product.integrationName}</span>}
          {product?.active === false && <span>Archived</span>}
        </Group>
      </Flex>{' '}
      {product !== null && <ModeBadge isTest={product.testMode} />}
    </>
  );
}
