/** Tables of the headings that people, other services and their exports use. Case, accents and spaces don't count. */

const LANGUAGES = ['de', 'es', 'fr', 'it', 'nl', 'pt', 'tr', 'id'] as const;

/** The names of a field, besides its own name and its label. */
interface Heading extends Partial<Record<(typeof LANGUAGES)[number], readonly string[]>> {
	/** In English, in the exports of other services, and in their templates. */
	en: readonly string[];
	/** Keys of titles (fields/columnNames.ts) that resemble those of the field. They are only suggested. */
	like?: RegExp;
}

/** By the names of columns (resources/link/columns.ts). Words that may mean something else in a sheet of links are left out. */
export const HEADINGS: Readonly<Record<string, Heading>> = {
	url: {
		en: [
			'Long Link',
			'Destination',
			'Destination URL',
			'Destination Link',
			'Target URL',
			'Target Link',
			'Original URL',
			'Original Link',
			'Full URL',
			'Final URL',
			'Landing Page URL',
		],
		de: ['Lange URL', 'Ziel-URL', 'Ziellink', 'Zieladresse', 'Langer Link'],
		es: ['URL larga', 'URL de destino', 'Enlace largo', 'Enlace de destino'],
		fr: ['URL longue', 'URL de destination', 'Lien long', "URL d'origine"],
		it: ['URL lungo', 'URL lunga', 'URL di destinazione', 'Link di destinazione'],
		nl: ['Doel-URL', 'Bestemmings-URL', 'Lange link'],
		pt: ['URL longa', 'Link longo', 'Link de destino'],
		tr: ['Uzun URL', 'Hedef URL', 'Uzun bağlantı', 'Uzun link'],
		id: ['URL panjang', 'URL tujuan', 'Tautan panjang', 'Link tujuan'],
		like: /^(?:ur[il]|link|href|address|target|destination|landing|web|site|page|long|original|full|to)+$/,
	},
	custom: {
		en: [
			'Slug',
			'Custom Slug',
			'URL Slug',
			'Custom Alias',
			'Back-half',
			'Custom Back-half',
			'Short Code',
			'Custom Code',
			'Custom Hash',
			'Slashtag',
			'Short ID',
		],
		de: ['Kürzel', 'Wunschkürzel', 'Linkkürzel'],
		es: ['Alias personalizado', 'Código corto'],
		fr: ['Alias personnalisé', 'Code court'],
		it: ['Alias personalizzato', 'Codice breve'],
		nl: ['Aangepaste alias', 'Korte code'],
		pt: ['Apelido', 'Código curto'],
		tr: ['Takma ad', 'Özel takma ad', 'Kısa kod'],
		id: ['Alias kustom', 'Alias khusus', 'Kode pendek'],
		like: /^(?:keyword|ending|path|shortname|customending)$|slug|alias|backhalf/,
	},
	shorturl: {
		en: ['Short Link', 'Shortened URL', 'Tiny URL', 'Bitlink', 'Custom Bitlink', 'Custom Bitlinks', 'Custom Link'],
		de: ['Kurz-URL', 'Kurzlink', 'Kurze URL'],
		es: ['URL corta', 'Enlace corto'],
		fr: ['URL courte', 'Lien court'],
		it: ['URL breve', 'Link breve'],
		nl: ['Korte URL', 'Korte link'],
		pt: ['URL curta', 'Link curto', 'URL encurtada'],
		tr: ['Kısa URL', 'Kısa bağlantı', 'Kısa link'],
		id: ['URL pendek', 'Tautan pendek', 'Link pendek'],
		like: /^(?:short|tiny|branded)(?:ened)?(?:ur[il]s?|links?|address)?$/,
	},
	domain: {
		en: ['Custom Domain', 'Branded Domain', 'Domain Name', 'Short Domain'],
		de: ['Eigene Domain', 'Domäne'],
		es: ['Dominio', 'Dominio personalizado'],
		fr: ['Domaine', 'Domaine personnalisé'],
		it: ['Dominio personalizzato'],
		nl: ['Domein', 'Eigen domein'],
		pt: ['Domínio', 'Domínio próprio'],
		tr: ['Alan adı', 'Özel alan adı'],
		id: ['Nama domain', 'Domain kustom'],
		like: /domain/,
	},
	metatitle: {
		en: ['Title'],
		de: ['Titel', 'Meta-Titel'],
		es: ['Título', 'Metatítulo'],
		fr: ['Titre', 'Méta-titre'],
		it: ['Titolo', 'Meta titolo'],
		nl: ['Metatitel'],
		pt: ['Título meta'],
		tr: ['Başlık', 'Meta başlık', 'Meta başlığı'],
		id: ['Judul', 'Judul meta', 'Meta judul'],
		like: /title$/,
	},
	description: {
		en: ['Link Description'],
		de: ['Beschreibung'],
		es: ['Descripción'],
		it: ['Descrizione'],
		nl: ['Beschrijving', 'Omschrijving'],
		pt: ['Descrição'],
		tr: ['Açıklama'],
		id: ['Deskripsi', 'Keterangan'],
		like: /^(?!meta).*(?:descr|notes?$|comments?$)/,
	},
	campaign: {
		en: ['Campaign Name'],
		de: ['Kampagne', 'Kampagnenname'],
		es: ['Campaña', 'Nombre de la campaña', 'Nombre de campaña'],
		fr: ['Campagne', 'Nom de la campagne'],
		it: ['Campagna', 'Nome campagna'],
		nl: ['Campagnenaam', 'Naam campagne'],
		pt: ['Campanha', 'Nome da campanha'],
		tr: ['Kampanya', 'Kampanya adı'],
		id: ['Kampanye', 'Nama kampanye'],
		like: /^(?!utm).*campaign/,
	},
	channel: {
		en: ['Channel Name'],
		de: ['Kanal', 'Kanalname'],
		es: ['Canal', 'Nombre del canal'],
		fr: ['Nom du canal'],
		it: ['Canale', 'Nome canale'],
		nl: ['Kanaal', 'Kanaalnaam'],
		pt: ['Nome do canal'],
		tr: ['Kanal adı'],
		id: ['Saluran', 'Nama saluran'],
		like: /^(?!utm).*channel/,
	},
	expiry: {
		en: [
			'Expires',
			'Expires At',
			'Expires On',
			'Expiry Date',
			'Expire Date',
			'Expiration',
			'Expiration Date',
			'Valid Until',
		],
		de: ['Ablaufdatum', 'Läuft ab am', 'Gültig bis'],
		es: ['Fecha de caducidad', 'Fecha de vencimiento', 'Fecha de expiración', 'Válido hasta', 'Caduca el'],
		fr: ["Date d'expiration", "Valable jusqu'au", 'Expire le'],
		it: ['Data di scadenza', 'Scadenza', 'Valido fino al'],
		nl: ['Vervaldatum', 'Verloopdatum', 'Geldig tot'],
		pt: ['Data de expiração', 'Data para expirar', 'Data de validade', 'Válido até', 'Expira em'],
		tr: ['Son kullanma tarihi', 'Geçerlilik tarihi', 'Son geçerlilik tarihi'],
		id: ['Tanggal kedaluwarsa', 'Kedaluwarsa', 'Berlaku sampai'],
		like: /expir|valid(?:un)?til|validto|^(?:until|end(?:s|date|son|sat)?)$/,
	},
	metadescription: {
		en: ['SEO Description', 'Preview Description'],
		de: ['Meta-Beschreibung', 'Vorschautext'],
		es: ['Metadescripción', 'Descripción meta'],
		fr: ["Texte d'aperçu"],
		it: ['Meta descrizione'],
		nl: ['Metabeschrijving', 'Meta-omschrijving'],
		pt: ['Meta descrição', 'Descrição meta'],
		tr: ['Meta açıklama', 'Meta açıklaması'],
		id: ['Deskripsi meta', 'Meta deskripsi'],
	},
	metaimage: {
		en: ['Meta Image', 'OG Image', 'Preview Image URL'],
		de: ['Vorschaubild', 'Meta-Bild'],
		es: ['Imagen meta', 'Imagen de vista previa'],
		fr: ["Image d'aperçu", 'Méta-image'],
		it: ['Immagine di anteprima'],
		nl: ['Voorbeeldafbeelding'],
		pt: ['Imagem meta', 'Imagem de prévia'],
		tr: ['Meta görsel', 'Önizleme görseli'],
		id: ['Gambar meta', 'Gambar pratinjau'],
		like: /image|thumbnail/,
	},
	password: {
		en: ['Link Password'],
		de: ['Passwort', 'Kennwort'],
		es: ['Contraseña'],
		fr: ['Mot de passe'],
		it: ["Parola d'ordine", 'Password del link'],
		nl: ['Wachtwoord'],
		pt: ['Senha', 'Palavra-passe'],
		tr: ['Şifre', 'Parola'],
		id: ['Kata sandi', 'Sandi'],
		like: /^pass|^pwd?$/,
	},
	pixels: {
		en: ['Pixel', 'Tracking Pixel', 'Tracking Pixels'],
		es: ['Píxeles'],
		it: ['Pixel di tracciamento'],
		nl: ['Trackingpixels'],
		pt: ['Pixel de rastreamento'],
		tr: ['Piksel', 'Pikseller'],
	},
	status: {
		en: ['Visibility'],
		de: ['Sichtbarkeit'],
		es: ['Visibilidad'],
		fr: ['Visibilité'],
		it: ['Visibilità'],
		nl: ['Zichtbaarheid'],
		pt: ['Visibilidade'],
		tr: ['Görünürlük'],
		id: ['Visibilitas'],
		like: /^link(?:status|visibility)$|^(?:state|visible)$/,
	},
	type: {
		en: ['Redirect Type'],
		de: ['Weiterleitungstyp', 'Weiterleitungsart', 'Art der Weiterleitung'],
		es: ['Tipo de redirección'],
		fr: ['Type de redirection'],
		it: ['Tipo di reindirizzamento'],
		nl: ['Type omleiding', 'Omleidingstype'],
		pt: ['Tipo de redirecionamento'],
		tr: ['Yönlendirme türü'],
		id: ['Jenis pengalihan', 'Tipe pengalihan'],
		like: /^redirect(?:ion)?s?$/,
	},
};

/** A word that means a field only beside certain others: in the exports of one service. */
export interface CompanyWord {
	title: string;
	field: string;
	/** There is one title of each of these beside it. */
	beside: ReadonlyArray<readonly string[]>;
	service: string;
}

export const COMPANY_WORDS: readonly CompanyWord[] = [
	{ title: 'keyword', field: 'custom', beside: [['url'], ['ip', 'timestamp']], service: 'YOURLS' },
	{ title: 'Path', field: 'custom', beside: [['OriginalURL']], service: 'Short.io' },
	{ title: 'key', field: 'custom', beside: [['url'], ['shortLink']], service: 'Dub' },
];

/** All names of a field. */
export function namesOf({ en, ...others }: Heading): string[] {
	return [...en, ...LANGUAGES.flatMap((language) => others[language] ?? [])];
}
