// Fictional names, and emails under reserved domains.

const firstNames = [
  ...[
    'Ada',
    'Benedikt',
    'Chidi',
    'Daria',
    'Elif',
    'Farid',
    'Greta',
    'Hamza',
    'Ines',
    'Jonas',
    'Kavya',
    'Lena',
  ],
  ...[
    'Mateo',
    'Nadia',
    'Oskar',
    'Priya',
    'Quentin',
    'Rosa',
    'Sven',
    'Tamsin',
    'Umar',
    'Vera',
    'Wanda',
    'Xiomara',
  ],
  ...['Yusuf', 'Zofia', 'Aoife', 'Bram', 'Celia', 'Dmitri', 'Esther', 'Femi', 'Gwen', 'Hugo', 'Iris', 'Jun'],
];

const lastNames = [
  ...['Abara', 'Berglund', 'Castellan', 'Dunmore', 'Eriksen', 'Fairweather', 'Gallo', 'Harrow', 'Ivanova'],
  ...['Jellicoe', 'Kowal', 'Lindqvist', 'Marchetti', 'Nwosu', 'Okafor', 'Pemberton', 'Quayle', 'Rosen'],
  ...['Sato', 'Thorne', 'Ueda', 'Vasquez', 'Whitlock', 'Xu', 'Yilmaz', 'Zeller', 'Ashdown'],
];

const companies = [
  ...[
    'harbour-foods',
    'northlight',
    'papertrail',
    'fennel',
    'bluebottle',
    'stonebridge',
    'kitewing',
    'marrow',
  ],
  ...['lanternworks', 'tidewater', 'quillandco', 'orchard-labs', 'halfmoon', 'saltmarsh', 'cobalt-travel'],
];

/** Deterministic by index. Names and emails are unique: 36 first and 27 last names, in changing pairs. */
export function personNames(index: number): { name: string; email: string; company: string } {
  const first = pick(firstNames, index);
  const last = pick(lastNames, Math.floor(index / firstNames.length) + index * 7);
  const company = pick(companies, index * 4 + Math.floor(index / 3));
  const round = Math.floor(index / (firstNames.length * lastNames.length));
  const number = round === 0 ? '' : String(round + 1);
  const mailbox = `${first}.${last}${number}`.toLowerCase();
  return {
    name: round === 0 ? `${first} ${last}` : `${first} ${last} ${round + 1}`,
    email: `${mailbox}@${company}.example`,
    company,
  };
}

function pick(list: readonly string[], index: number): string {
  return list[index % list.length] ?? '';
}
