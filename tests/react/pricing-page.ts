// The script of the page with the pricing table: what the test calls in the browser.
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { PricingTable, type PricingTableProps } from '../../packages/sdk/pricing.ts';

const chosen: (string | null)[] = [];
const page = {
  chosen,
  render(props: Omit<PricingTableProps, 'onChoose'>) {
    const onChoose: PricingTableProps['onChoose'] = (plan, price) =>
      chosen.push(plan.slug, price?.id ?? null);
    const root = createRoot(document.getElementById('root') as HTMLElement);
    root.render(createElement(PricingTable, { ...props, onChoose }));
  },
};
export type PricingPage = typeof page;
Object.assign(globalThis, { app: page });
