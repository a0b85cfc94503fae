/** Calls between ledgers of random histories, as their objects make them. */
import type { LedgerSite, ReplicationBatch } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { copierOf, mergeCopyPage, serveCopyPage } from '#objects/ledger/copy-pages';
import { nextHandoff, type PartialHandoff } from '#objects/ledger/handoff';
import type { LocalLedger } from '#objects/ledger/local-ledger';

/** Copies all of a customer from a peer. */
export function copyCustomer(
  ledger: LocalLedger,
  customer: string,
  peer: { readonly ledger: LocalLedger; readonly site: LedgerSite },
): void {
  let after = null;
  do {
    const page = serveCopyPage(peer.ledger, peer.site, { from: copierOf(ledger), customer, after });
    mergeCopyPage(ledger, peer.site.location, page);
    after = page.next;
  } while (after !== null);
}

/** Hands over what is not replicated before a location retires. */
export function handOffRest(
  ledger: LocalLedger,
  to: Location,
  now: number,
  send: (batch: ReplicationBatch) => void,
): void {
  let part: PartialHandoff | null = null;
  for (;;) {
    const next = nextHandoff(ledger, to, now, part);
    if (next === null) return;
    send(next.batch);
    part = next.part;
  }
}
