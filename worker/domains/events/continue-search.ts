/** A stream pauses a search that finds nothing. It is resumed this many times before an empty page is returned. */
const MAX_CONTINUATIONS = 5;

/** @param search reads a page that ends before `timeTo` */
export async function continueSearch<Page extends { readonly nextQueryTimeTo: number | null }>(
  timeTo: number | null,
  search: (timeTo: number | null) => Promise<Page>,
  hasFound: (page: Page) => boolean,
): Promise<Page> {
  for (let to = timeTo, continuation = 0; ; continuation++) {
    const page = await search(to);
    if (hasFound(page) || page.nextQueryTimeTo === null || continuation === MAX_CONTINUATIONS) return page;
    to = page.nextQueryTimeTo;
  }
}
