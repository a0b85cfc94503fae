// Whose a name is and whose plans a check by it has, as docs/names.md says it, in the plainest way.

/** A Stripe customer of an account in one mode. Its subscription has a plan of the account's own, named for it. */
export interface StripeModel {
  readonly id: string;
  readonly account: string;
  readonly isLive: boolean;
  email: string | null;
  /** The created customer that its metadata names. */
  metadata: string | null;
  readonly plan: string;
  isDeleted: boolean;
}

/** What calls said in one environment. */
export interface EnvironmentModel {
  readonly name: string;
  readonly isLive: boolean;
  /** The customer was created here, with this email or without one. */
  created: { email: string | null } | null;
  /** By account: the Stripe customer of which a call said that it is the created one. */
  readonly said: Map<string, string>;
}

export interface FamilyModel {
  /** The ID that the application gives, which metadata names. */
  readonly name: string;
  readonly stripe: StripeModel[];
  readonly environments: readonly EnvironmentModel[];
  /** Owners of emails, the first one first. */
  readonly owners: { readonly email: string; readonly id: string }[];
}

export interface Expected {
  /** Null: the name is nobody's but its own. */
  readonly customer: string | null;
  readonly plans: readonly string[];
}

export function expectedOf(family: FamilyModel, environment: EnvironmentModel, name: string): Expected {
  const seen = family.stripe.filter((each) => !each.isDeleted && (each.isLive || !environment.isLive));
  const isTheSame = (each: StripeModel) => isCreated(family, environment, each);
  const whoIs = (each: StripeModel) => (isTheSame(each) ? family.name : each.id);
  const plansOf = (some: readonly StripeModel[]) => [...new Set(some.map(({ plan }) => plan))].toSorted();
  const theirs = (customer: string) => seen.filter((each) => whoIs(each) === customer);
  const exact = seen.find(({ id }) => id === name);
  if (exact !== undefined) {
    const customer = whoIs(exact);
    return { customer, plans: plansOf(theirs(customer)) };
  }
  if (name === family.name) {
    const carriers = seen.filter(({ metadata }) => metadata === name);
    if (environment.created !== null) {
      // Others that carry the ID are ambiguous: it has the plans of all.
      return { customer: name, plans: plansOf([...theirs(name), ...carriers]) };
    }
    const [only] = carriers;
    return { customer: carriers.length === 1 && only ? only.id : null, plans: plansOf(carriers) };
  }
  const namesakes = seen.filter(({ email }) => email === name);
  const owner = family.owners.find((each) => each.email === name && seen.some(({ id }) => id === each.id));
  const ownerRow = seen.find(({ id }) => id === owner?.id);
  const customer = environment.created?.email === name ? family.name : ownerRow ? whoIs(ownerRow) : null;
  return { customer, plans: plansOf([...namesakes, ...(customer === null ? [] : theirs(customer))]) };
}

/** By a call, or by metadata of which no call says another one, and which no second one of the account has. */
function isCreated({ name, stripe }: FamilyModel, environment: EnvironmentModel, one: StripeModel): boolean {
  if (environment.created === null) return false;
  const said = environment.said.get(one.account);
  if (said === one.id) return true;
  if (one.metadata !== name) return false;
  const others = stripe.filter((other) => other !== one && other.account === one.account && !other.isDeleted);
  return !others.some((other) => other.id === said || other.metadata === name);
}

/** Stripe has said something new of the email: who owns it may be decided. */
export function decideOwner({ stripe, owners }: FamilyModel, email: string): void {
  const here = stripe.filter((each) => !each.isDeleted && each.email === email);
  const kept = owners.filter((each) => each.email !== email || here.some(({ id }) => id === each.id));
  owners.splice(0, owners.length, ...kept);
  // Live environments see live customers only.
  for (const isLive of [true, false]) {
    const seen = here.filter((each) => each.isLive || !isLive);
    if (owners.some((each) => each.email === email && seen.some(({ id }) => id === each.id))) continue;
    const first = here.find((each) => each.isLive === isLive);
    if (first) owners.push({ email, id: first.id });
  }
}
