/**
 * Where countries and large cities are, in degrees north and east. Countries: the centre of the largest part, from Natural
 * Earth's 1:50 million countries (public domain).
 */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** Country code, latitude, longitude. */
const COUNTRIES = [
  'AD43 2;AE24 54;AF34 66;AG17 -62;AI18 -63;AL41 20;AM40 45;AO-12 18;AQ-85 83;AR-35 -65;AS-14 -171;',
  'AT48 14;AU-12 124;AW13 -70;AX60 20;AZ40 48;BA44 18;BB13 -60;BD24 90;BE51 5;BF12 -2;BG43 25;BH26 51;',
  'BI-3 30;BJ10 2;BL18 -63;BM32 -65;BN4 115;BO-17 -65;BR-11 -53;BS25 -78;BT27 90;BW-22 24;BY54 28;',
  'BZ17 -89;CA59 -99;CD-3 24;CF7 20;CG-1 15;CH47 8;CI8 -6;CK-21 -160;CL-34 -71;CM6 13;CN37 103;CO4 -73;',
  'CR10 -84;CU22 -79;CV15 -24;CW12 -69;CY35 33;CZ50 15;DE51 10;DJ12 43;DK56 9;DM15 -61;DO19 -71;DZ28 3;',
  'EC-1 -78;EE59 26;EG26 30;EH24 -12;ER15 39;ES40 -4;ET9 40;FI64 26;FJ-18 178;FK-52 -59;FM7 158;',
  'FO62 -7;FR47 2;GA-1 12;GB54 -2;GD12 -62;GE42 44;GG49 -3;GH8 -1;GL73 -42;GM13 -15;GN10 -11;GQ2 10;',
  'GR39 23;GS-54 -37;GT16 -90;GU13 145;GW12 -15;GY5 -59;HK22 114;HM-53 74;HN15 -87;HR45 16;HT19 -73;',
  'HU47 19;ID0 114;IE53 -8;IL31 35;IM54 -5;IN23 80;IO-7 72;IQ33 44;IR33 54;IS65 -19;IT43 12;JE49 -2;',
  'JM18 -77;JO31 37;JP37 138;KE1 38;KG41 75;KH13 105;KI2 -157;KM-12 43;KN17 -63;KP40 127;KR36 128;',
  'KW29 48;KY19 -81;KZ48 67;LA18 104;LB34 36;LC14 -61;LI47 10;LK8 81;LR6 -9;LS-30 28;LT55 24;LU50 6;',
  'LV57 25;LY27 18;MA30 -9;MC44 7;MD47 28;ME43 19;MF18 -63;MG-19 47;MH7 171;MK42 22;ML17 -4;MM21 96;',
  'MN47 103;MO22 114;MP15 146;MR20 -10;MS17 -62;MT36 14;MU-20 58;MV4 74;MW-13 34;MX24 -102;MY4 115;',
  'MZ-17 36;NA-22 17;NC-21 165;NE17 9;NF-29 168;NG10 8;NI13 -85;NL52 6;NO64 12;NP28 84;NR-1 167;',
  'NU-19 -170;NZ-44 171;OM21 56;PA9 -80;PE-9 -74;PF-18 -149;PG-7 144;PH16 121;PK30 69;PL52 19;PM47 -56;',
  'PN-24 -128;PR18 -66;PS32 35;PT40 -8;PW8 135;PY-23 -58;QA25 51;RO46 25;RS44 21;RU66 96;RW-2 30;',
  'SA24 45;SB-10 160;SC-5 55;SD16 30;SE62 16;SG1 104;SH-16 -6;SI46 15;SK49 19;SL9 -12;SM44 12;SN14 -14;',
  'SO5 46;SR4 -56;SS7 30;ST0 7;SV14 -89;SX18 -63;SY35 38;SZ-27 31;TC22 -72;TD15 19;TF-49 69;TG9 1;',
  'TH15 101;TJ39 71;TL-9 126;TM39 59;TN34 10;TO-21 -175;TR39 35;TT10 -61;TW24 121;TZ-6 35;UA49 31;',
  'UG1 32;US40 -99;UY-33 -56;UZ42 63;VA42 12;VC13 -61;VE7 -66;VG18 -65;VI18 -65;VN17 106;VU-15 167;',
  'WF-14 -178;WS-14 -172;YE16 48;ZA-29 25;ZM-13 28;ZW-19 30;',
].join('');

/** Country code, city, latitude, longitude. */
const CITIES = [
  'USNew York 40.7 -74;USSan Francisco 37.8 -122.4;USLos Angeles 34.1 -118.2;USSeattle 47.6 -122.3;',
  'USChicago 41.9 -87.6;USAustin 30.3 -97.7;USDallas 32.8 -96.8;USDenver 39.7 -105;',
  'USAtlanta 33.7 -84.4;USMiami 25.8 -80.2;USBoston 42.4 -71.1;USAshburn 39 -77.5;',
  'USWashington 38.9 -77;USPortland 45.5 -122.7;USPhoenix 33.4 -112.1;USHonolulu 21.3 -157.9;',
  'USAnchorage 61.2 -149.9;CAToronto 43.7 -79.4;CAMontreal 45.5 -73.6;CAVancouver 49.3 -123.1;',
  'MXMexico City 19.4 -99.1;COBogotá 4.7 -74.1;PELima -12 -77;CLSantiago -33.4 -70.7;',
  'ARBuenos Aires -34.6 -58.4;BRSão Paulo -23.6 -46.6;BRRio de Janeiro -22.9 -43.2;GBLondon 51.5 -0.1;',
  'GBManchester 53.5 -2.2;GBEdinburgh 55.9 -3.2;IEDublin 53.3 -6.3;FRParis 48.9 2.4;',
  'FRMarseille 43.3 5.4;ESMadrid 40.4 -3.7;ESBarcelona 41.4 2.2;PTLisbon 38.7 -9.1;DEBerlin 52.5 13.4;',
  'DEFrankfurt am Main 50.1 8.7;DEMunich 48.1 11.6;DEHamburg 53.6 10;NLAmsterdam 52.4 4.9;',
  'BEBrussels 50.8 4.4;CHZurich 47.4 8.5;ATVienna 48.2 16.4;ITMilan 45.5 9.2;ITRome 41.9 12.5;',
  'PLWarsaw 52.2 21;CZPrague 50.1 14.4;SEStockholm 59.3 18.1;NOOslo 59.9 10.8;DKCopenhagen 55.7 12.6;',
  'FIHelsinki 60.2 24.9;ROBucharest 44.4 26.1;GRAthens 38 23.7;TRIstanbul 41 29;UAKyiv 50.5 30.5;',
  'RUMoscow 55.8 37.6;RUNovosibirsk 55 82.9;ILTel Aviv 32.1 34.8;AEDubai 25.2 55.3;SARiyadh 24.7 46.7;',
  'EGCairo 30 31.2;MACasablanca 33.6 -7.6;NGLagos 6.5 3.4;GHAccra 5.6 -0.2;KENairobi -1.3 36.8;',
  'ZAJohannesburg -26.2 28;ZACape Town -33.9 18.4;INMumbai 19.1 72.9;INDelhi 28.6 77.2;',
  'INBengaluru 13 77.6;PKKarachi 24.9 67;BDDhaka 23.8 90.4;THBangkok 13.8 100.5;',
  'VNHo Chi Minh City 10.8 106.7;SGSingapore 1.4 103.8;MYKuala Lumpur 3.1 101.7;IDJakarta -6.2 106.8;',
  'PHManila 14.6 121;HKHong Kong 22.3 114.2;CNShanghai 31.2 121.5;CNBeijing 39.9 116.4;',
  'CNShenzhen 22.5 114.1;TWTaipei 25 121.6;KRSeoul 37.6 127;JPTokyo 35.7 139.7;JPOsaka 34.7 135.5;',
  'AUSydney -33.9 151.2;AUMelbourne -37.8 145;AUPerth -31.9 115.9;NZAuckland -36.8 174.8;',
].join('');

const coordinates = new Map(
  [COUNTRIES, CITIES].flatMap((list) =>
    [...list.matchAll(/([A-Z]{2})([^;]*?) ?(-?[\d.]+) (-?[\d.]+);/g)].map(toEntry),
  ),
);

function toEntry([, code, city = '', latitude, longitude]: RegExpMatchArray): [string, Coordinates] {
  return [`${code} ${city}`, { latitude: Number(latitude), longitude: Number(longitude) }];
}

/** Coordinates of the city if it is known, otherwise of the country; null for an unknown country. */
export function coordinatesOf(countryCode: string, city: string | null): Coordinates | null {
  return coordinates.get(`${countryCode} ${city ?? ''}`) ?? coordinates.get(`${countryCode} `) ?? null;
}
