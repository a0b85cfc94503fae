import { PricingTable } from 'tessera-sdk/pricing';
import { useAccess } from 'tessera-sdk/react';

const plans = { url: 'https://tessera.example', publicKey: 'tsr_pub_…' };

export function Pricing() {
  const { access } = useAccess();
  return (
    <PricingTable
      plans={plans}
      current={access?.plans}
      onChoose={async (_plan, price) => {
        if (price === null) return;
        const answer = await fetch('/checkout', { method: 'POST', body: price.id });
        location.assign(await answer.text());
      }}
    />
  );
}
