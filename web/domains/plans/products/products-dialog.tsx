/**
 * Selects the products and prices of a plan. Changes are staged and saved together. If the plan changed meanwhile, the dialog
 * shows the current state and keeps the staged changes.
 */
import { Box, Button } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { MAX_PLAN_PRODUCTS, type Plan, type ProductMapping, planSchema } from '#contracts/console/plans';
import {
  type AvailableProduct,
  type StripePrice,
  stripeIntegrationEndpoints,
} from '#contracts/console/stripe';
import { ApiError } from '#web/api/api-error.ts';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { toastError } from '#web/api/error-notice.ts';
import { paths } from '#web/paths.ts';
import { toast } from '#web/toast.ts';
import { FormDialog } from '#web/ui/dialogs/form-dialog.tsx';
import { sentence } from '#web/ui/format.ts';
import { hasSearchField } from '#web/ui/lists/has-search-field.ts';
import { SearchField } from '#web/ui/lists/search-field.tsx';
import { useScrolledRows } from '#web/ui/lists/use-virtual-rows.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { useUpdatePlanProducts } from '../mutations.ts';
import { choosableProducts, isProductFound, linkedProducts, nameOfLink } from './linked-products.ts';
import { ProductLabel } from './product-label.tsx';
import classes from './products.module.css';
import { NOTHING_STAGED, productKey, stagedChanges, toggleProduct } from './staged-products.ts';

const ROW_HEIGHT = 49;

export interface ProductsDialogProps {
  readonly orgId: string;
  readonly plan: Plan;
  readonly available: readonly AvailableProduct[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Remounts each time it opens, so that nothing is staged. */
export function ProductsDialog(props: ProductsDialogProps) {
  const [opened, setOpened] = useState({ isOpen: props.isOpen, count: 0 });
  if (opened.isOpen !== props.isOpen) {
    setOpened({ isOpen: props.isOpen, count: opened.count + (props.isOpen ? 1 : 0) });
  }
  return <Dialog key={opened.count} {...props} />;
}

function Dialog({ orgId, plan, available, isOpen, onClose }: ProductsDialogProps) {
  /** The plan that the changes are based on. */
  const [current, setCurrent] = useState(plan);
  const [staged, setStaged] = useState(NOTHING_STAGED);
  const [times, setTimes] = useState(NOTHING_STAGED);
  const { prices, loadPrices, loading } = usePrices(orgId);
  const [isOvertaken, setIsOvertaken] = useState(false);
  const [search, setSearch] = useState('');
  const update = useUpdatePlanProducts(orgId, plan.planId);

  const linked = new Set(current.grantProductMappings.map(productKey));
  const products = choosableProducts(current.grantProductMappings, available, prices);
  const { added, removed, changed } = stagedChanges(staged, linked, products, times);
  const isDirty = added.length + removed.length + changed.length > 0;
  const found = products.filter((product) => isProductFound(product, search));
  const shown = useScrolledRows<(typeof products)[number], HTMLUListElement>({
    items: found,
    keyOf: productKey,
    heightOf: () => ROW_HEIGHT,
  });
  const count = linked.size + added.length - removed.length;

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isDirty) return onClose();
    update.mutate(
      {
        addProducts: [...added, ...changed].map((product) => ({
          ...product,
          version: current.currentVersion,
        })),
        removeProducts: [...removed],
      },
      {
        onSuccess: () => {
          onClose();
          toast.success('Plan Products Updated');
        },
        onError: (error) => {
          const latest = error instanceof ApiError ? planSchema.safeParse(error.current).data : undefined;
          if (latest === undefined) {
            toastError(error, 'The products were not saved');
            return;
          }
          setCurrent(latest);
          setIsOvertaken(true);
        },
      },
    );
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Connect Stripe Products (Optional)"
      submitLabel="Save"
      onSubmit={save}
      isBusy={update.isPending}
      isDirty={isDirty}
      isDirtyNow={() => isDirty && !update.isSuccess}
      size={600}
    >
      {isOvertaken && <Overtaken plan={current} available={available} />}
      {products.length === 0 ? (
        <NoProducts orgId={orgId} />
      ) : (
        <>
          {hasSearchField(products.length, search) && (
            <SearchField
              label="products"
              placeholder="Name, product ID or integration"
              text={search}
              onText={setSearch}
              pt={3} // Room for the focus ring, which the dialog's edge would clip.
              data-autofocus
            />
          )}
          <ul
            ref={shown.container}
            className={`list divided ${classes.choices}`}
            aria-label="Available products"
          >
            {shown.rows.flatMap(({ item: product, index, spaceBefore }) => {
              const key = productKey(product);
              const isLinked = linked.has(key);
              const isWanted = staged.get(key) ?? isLinked;
              return [
                spaceBefore > 0 && <li key={`before ${key}`} aria-hidden style={{ height: spaceBefore }} />,
                <li
                  key={key}
                  ref={shown.measure}
                  data-index={index}
                  aria-setsize={found.length}
                  aria-posinset={index + 1}
                >
                  <div
                    className={classes.row}
                    data-price={product.priceId !== undefined || undefined}
                    data-staged={isWanted !== isLinked || undefined}
                  >
                    <label className={classes.choice}>
                      <input
                        type="checkbox"
                        checked={isWanted}
                        onChange={() => setStaged(toggleProduct(staged, linked, product))}
                      />
                      <ProductLabel {...product} />
                    </label>
                    {isWanted && (
                      <label className={classes.times}>
                        <input
                          type="checkbox"
                          role="switch"
                          aria-checked={times.get(key) ?? product.timesQuantity ?? false}
                          aria-label={`Times quantity of ${nameOfLink(product)}`}
                          checked={times.get(key) ?? product.timesQuantity ?? false}
                          onChange={({ currentTarget: { checked } }) =>
                            setTimes(new Map(times).set(key, checked))
                          }
                        />
                        Times quantity
                      </label>
                    )}
                    {product.priceId === undefined && product.product !== null && !prices.has(key) && (
                      <Button
                        variant="subtle"
                        size="compact-sm"
                        aria-label={`Show prices of ${nameOfLink(product)}`}
                        loading={loading === key}
                        onClick={() => void loadPrices(product)}
                      >
                        Prices
                      </Button>
                    )}
                  </div>
                </li>,
              ];
            })}
            {shown.spaceAfter > 0 && <li aria-hidden style={{ height: shown.spaceAfter }} />}
          </ul>
          {found.length === 0 && (
            <Box component="p" m={0} c="dimmed" ta="center" p={12}>
              No results
            </Box>
          )}
          <p className="flush muted small" aria-live="polite">
            {count > MAX_PLAN_PRODUCTS
              ? `A plan can have at most ${MAX_PLAN_PRODUCTS} products. You selected ${count}.`
              : summaryOf(count, added.length, removed.length, changed.length)}
          </p>
        </>
      )}
    </FormDialog>
  );
}

/** Loads the prices of a product on request. */
function usePrices(orgId: string) {
  const client = useQueryClient();
  const [prices, setPrices] = useState<ReadonlyMap<string, readonly StripePrice[]>>(new Map());
  const [loading, setLoading] = useState<string | null>(null);
  const loadPrices = async (product: ProductMapping) => {
    const key = productKey(product);
    const { integrationId, productId } = product;
    setLoading(key);
    try {
      const found = await client.fetchQuery(
        endpointQuery(stripeIntegrationEndpoints.listPrices, { orgId, integrationId, productId }),
      );
      setPrices((known) => new Map(known).set(key, found));
      if (found.length === 0) toast.success('This product has no recurring prices');
    } catch (error) {
      toastError(error, 'The prices could not be loaded');
    }
    setLoading(null);
  };
  return { prices, loadPrices, loading };
}

function summaryOf(count: number, added: number, removed: number, changed: number): string {
  const changes = [
    ...(added > 0 ? [`links ${added}`] : []),
    ...(removed > 0 ? [`removes ${removed}`] : []),
    ...(changed > 0 ? [`changes ${changed}`] : []),
  ];
  return `${count} selected.${changes.length > 0 ? ` Saving ${changes.join(' and ')}.` : ''}`;
}

function Overtaken({ plan, available }: { plan: Plan; available: readonly AvailableProduct[] }) {
  const names = linkedProducts(plan.grantProductMappings, available).map(nameOfLink);
  return (
    <Notice role="alert" icon={IconArrowsSplit2} title="Someone else changed the plan in the meantime">
      {`It is now at version ${plan.currentVersion}, with ${
        names.length === 0 ? 'no product linked' : sentence`these products linked: ${names.join(', ')}`
      }. Nothing is saved yet. Review your selection, then choose “Save” again.`}
    </Notice>
  );
}

function NoProducts({ orgId }: { orgId: string }) {
  return (
    <Box py={28} px={20} c="dimmed" ta="center">
      <p className="flush strong bold">No products to link yet</p>
      <p className="flush">Connect a Stripe account or sync its products to link them here.</p>
      <Button component={Link} to={paths.integrations(orgId)} variant="default" mt={12}>
        Go to integrations
      </Button>
    </Box>
  );
}
