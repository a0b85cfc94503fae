// Whose a name is, which names a customer has and whose plans a check by it has, as docs/names.md says it, in the plainest way.

/** A Stripe customer of an account in one mode. Its subscription has one of the account's two plans. */
export interface StripeModel {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly isLive: boolean;
  readonly createdAt: number;
  email: string | null;
  /** What its metadata says: the ID of a created customer, or a user ID. */
  metadata: string | null;
  readonly plan: string;
  isDeleted: boolean;
}

export interface CreatedModel {
  readonly id: string;
  email: string | null;
  userId: string | null;
  /** By account: the Stripe customer of which a call or a person said that it is this one. */
  readonly said: Map<string, string>;
}

export interface EnvironmentModel {
  readonly name: string;
  readonly isLive: boolean;
  /** Those that were created here. */
  readonly created: CreatedModel[];
}

export interface FamilyModel {
  /** All that may be names of customers, apart from the IDs of Stripe customers. */
  readonly names: readonly string[];
  readonly stripe: StripeModel[];
  readonly environments: readonly EnvironmentModel[];
  /** Owners of emails, the first one first. */
  readonly owners: { readonly email: string; readonly id: string }[];
  /** Accounts whose metadata says nothing, because they name no key of it. */
  readonly unkeyed: ReadonlySet<string>;
}

export interface Expected {
  /** Itself, if the name is nobody's. */
  readonly customer: string;
  readonly plans: readonly string[];
  readonly aliases: readonly string[];
}

export function expectedOf(family: FamilyModel, environment: EnvironmentModel, name: string): Expected {
  const customer = ownerOf(family, environment, name) ?? name;
  const seen = seenIn(family, environment);
  const all = [...family.names, ...seen.map(({ id }) => id)];
  const aliases = all.filter((each) => each !== customer && ownerOf(family, environment, each) === customer);
  const theirs = seen.filter((each) => whoIs(family, environment, each) === customer);
  const sharing = seen.filter(({ id, email }) => email === name && id !== name);
  // What a call says of a customer goes before its metadata, and of an account in which a customer is one already, no other one counts.
  const isCreated = environment.created.some(({ id }) => id === customer);
  const others = seen.filter((each) => {
    if (saysOf(family, each) !== name) return false;
    if (isCreated && ![each.id, customer].includes(whoIs(family, environment, each))) return false;
    return name !== customer || !theirs.some(({ account }) => account === each.account);
  });
  const isExact = seen.some(({ id }) => id === name);
  const paying = isExact ? theirs : [...theirs, ...sharing, ...others];
  return {
    customer,
    plans: [...new Set(paying.map(({ plan }) => plan))].toSorted(),
    aliases: aliases.toSorted(),
  };
}

/** Null: it is nobody's. */
function ownerOf(family: FamilyModel, environment: EnvironmentModel, name: string): string | null {
  const seen = seenIn(family, environment);
  const who = (each: StripeModel) => whoIs(family, environment, each);
  if (environment.created.some(({ id }) => id === name)) return name;
  const exact = seen.find(({ id }) => id === name);
  if (exact !== undefined) return who(exact);
  const created = environment.created.find(({ email, userId }) => email === name || userId === name);
  if (created !== undefined) return created.id;
  const first = family.owners.find((each) => each.email === name && seen.some(({ id }) => id === each.id));
  const owner = seen.find(({ id }) => id === first?.id);
  if (owner !== undefined) return who(owner);
  const carriers = new Set(seen.filter((each) => saysOf(family, each) === name).map(who));
  return carriers.size === 1 ? ([...carriers][0] ?? null) : null;
}

export function seenIn({ stripe }: FamilyModel, { isLive }: EnvironmentModel): StripeModel[] {
  return stripe.filter((each) => !each.isDeleted && (each.isLive || !isLive));
}

/** Itself, or the created customer that it is: by a call, or by metadata of which no call says another one, and which no second one of the account has. */
export function whoIs(family: FamilyModel, { created }: EnvironmentModel, one: StripeModel): string {
  const said = created.find((each) => each.said.get(one.account) === one.id);
  if (said !== undefined) return said.id;
  const named = created.find(({ id }) => id === saysOf(family, one));
  if (named === undefined) return one.id;
  const others = family.stripe.filter(
    (other) => other !== one && other.account === one.account && !other.isDeleted,
  );
  const isAnother = others.some(
    (other) => other.id === named.said.get(one.account) || other.metadata === one.metadata,
  );
  return isAnother ? one.id : named.id;
}

/** What its metadata says, by the key of its account. */
const saysOf = ({ unkeyed }: FamilyModel, { account, metadata }: StripeModel) =>
  unkeyed.has(account) ? null : metadata;

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
