/** A product as the card and the dialog of a plan's products show it: name, id, account, and its mode. */
import { CopyId } from '../../ui/copy-id.tsx';
import { ModeBadge } from '../../ui/mode-badge.tsx';
import type { LinkedProduct } from './linked-products.ts';
import classes from './products.module.css';

/** @param isCopyable the id copies itself when clicked: not where a click chooses the product */
export function ProductWords({
  product,
  productId,
  isCopyable = false,
}: LinkedProduct & { isCopyable?: boolean }) {
  return (
    <>
      <span className={classes.words}>
        <span className={classes.name}>{product?.name ?? 'No longer at Stripe'}</span>{' '}
        <span className={classes.detail}>
          {isCopyable ? <CopyId value={productId} label="product id" /> : <code>{productId}</code>}
          {product !== null && <span>{product.integrationName}</span>}
          {product?.active === false && <span>Archived</span>}
        </span>
      </span>{' '}
      {product !== null && <ModeBadge isTest={product.testMode} />}
    </>
  );
}
