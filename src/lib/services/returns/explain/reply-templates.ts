/**
 * Messages to customers by language, as Mustache templates. They say facts only: what is not known is left out.
 * docs/insight.md names the words in braces.
 */
export const REPLY_TEMPLATES: Readonly<Record<string, string>> = {
  en: `Hello{{#customer}} {{customer}}{{/customer}},

{{#NEEDS_VALIDATION}}
we have your return {{return}}{{#order}} of order {{order}}{{/order}}. It is waiting for approval.
{{/NEEDS_VALIDATION}}
{{#PENDING}}
your return {{return}}{{#order}} of order {{order}}{{/order}} is registered. We have not received the parcel yet.
{{/PENDING}}
{{#RECEPTION_IN_PROGRESS}}
the parcel of your return {{return}}{{#order}} of order {{order}}{{/order}} is on its way to us.
{{/RECEPTION_IN_PROGRESS}}
{{#RECEPTION_COMPLETED}}
the parcel of your return {{return}}{{#order}} of order {{order}}{{/order}} has arrived.
{{/RECEPTION_COMPLETED}}
{{#RECEIVED}}
we have received your return {{return}}{{#order}} of order {{order}}{{/order}}. The items are still to be checked.
{{/RECEIVED}}
{{#CHECKED}}
we have received and checked your return {{return}}{{#order}} of order {{order}}{{/order}}.
{{/CHECKED}}
{{#CLOSED}}
your return {{return}}{{#order}} of order {{order}}{{/order}} is closed.
{{/CLOSED}}
{{#DISCARDED}}
your return {{return}}{{#order}} of order {{order}}{{/order}} was called off.
{{/DISCARDED}}
{{#EXPIRED}}
your return {{return}}{{#order}} of order {{order}}{{/order}} has expired: no parcel came in time.
{{/EXPIRED}}
{{#lastScan}}
{{#carrier}}{{carrier}} last scanned the parcel{{/carrier}}{{^carrier}}The parcel was last scanned{{/carrier}} on {{lastScan}}.
{{/lastScan}}
{{#pickupDate}}
The pick-up is planned for {{pickupDate}}.
{{/pickupDate}}
{{#trackingUrl}}
You can follow it here: {{trackingUrl}}
{{/trackingUrl}}

{{#refunded}}
{{#date}}On {{date}} we{{/date}}{{^date}}We{{/date}} refunded {{amount}}{{#ORIGINAL_PAYMENT_METHOD}} to your original means of payment{{/ORIGINAL_PAYMENT_METHOD}}{{#STORE_CREDIT}} as store credit{{/STORE_CREDIT}}{{#GIFT_CARD}} as a gift card{{/GIFT_CARD}}{{#EXCHANGE}} as an exchange{{/EXCHANGE}}.
{{/refunded}}
{{#due}}
{{amount}} will follow{{#DROP_OFF}} when the parcel is handed in{{/DROP_OFF}}{{#SHIPPING_IN_PROGRESS}} when the parcel is on its way{{/SHIPPING_IN_PROGRESS}}{{#SHIPPING_COMPLETED}} when the parcel arrives{{/SHIPPING_COMPLETED}}{{#PRE_VALIDATION}} when the return is approved{{/PRE_VALIDATION}}{{#POST_VALIDATION}} when we have checked the items{{/POST_VALIDATION}}.
{{/due}}

Kind regards
`,
  es: `Hola{{#customer}}, {{customer}}{{/customer}}:

{{#NEEDS_VALIDATION}}
Hemos recibido su solicitud de devolución {{return}}{{#order}} del pedido {{order}}{{/order}}. Está pendiente de aprobación.
{{/NEEDS_VALIDATION}}
{{#PENDING}}
Su devolución {{return}}{{#order}} del pedido {{order}}{{/order}} está registrada. Todavía no hemos recibido el paquete.
{{/PENDING}}
{{#RECEPTION_IN_PROGRESS}}
El paquete de su devolución {{return}}{{#order}} del pedido {{order}}{{/order}} está en camino hacia nosotros.
{{/RECEPTION_IN_PROGRESS}}
{{#RECEPTION_COMPLETED}}
El paquete de su devolución {{return}}{{#order}} del pedido {{order}}{{/order}} ha llegado.
{{/RECEPTION_COMPLETED}}
{{#RECEIVED}}
Hemos recibido su devolución {{return}}{{#order}} del pedido {{order}}{{/order}}. Aún tenemos que revisar los artículos.
{{/RECEIVED}}
{{#CHECKED}}
Hemos recibido y revisado su devolución {{return}}{{#order}} del pedido {{order}}{{/order}}.
{{/CHECKED}}
{{#CLOSED}}
Su devolución {{return}}{{#order}} del pedido {{order}}{{/order}} está cerrada.
{{/CLOSED}}
{{#DISCARDED}}
Su devolución {{return}}{{#order}} del pedido {{order}}{{/order}} fue anulada.
{{/DISCARDED}}
{{#EXPIRED}}
Su devolución {{return}}{{#order}} del pedido {{order}}{{/order}} ha caducado: el paquete no llegó a tiempo.
{{/EXPIRED}}
{{#lastScan}}
{{#carrier}}{{carrier}} registró el paquete{{/carrier}}{{^carrier}}El paquete fue registrado{{/carrier}} por última vez el {{lastScan}}.
{{/lastScan}}
{{#pickupDate}}
La recogida está prevista para el {{pickupDate}}.
{{/pickupDate}}
{{#trackingUrl}}
Puede seguirlo aquí: {{trackingUrl}}
{{/trackingUrl}}

{{#refunded}}
{{#date}}El {{date}} le{{/date}}{{^date}}Le{{/date}} reembolsamos {{amount}}{{#ORIGINAL_PAYMENT_METHOD}} en su medio de pago original{{/ORIGINAL_PAYMENT_METHOD}}{{#STORE_CREDIT}} como crédito en la tienda{{/STORE_CREDIT}}{{#GIFT_CARD}} en una tarjeta regalo{{/GIFT_CARD}}{{#EXCHANGE}} como cambio{{/EXCHANGE}}.
{{/refunded}}
{{#due}}
Le reembolsaremos {{amount}}{{#DROP_OFF}} cuando entregue el paquete{{/DROP_OFF}}{{#SHIPPING_IN_PROGRESS}} cuando el paquete esté en camino{{/SHIPPING_IN_PROGRESS}}{{#SHIPPING_COMPLETED}} cuando llegue el paquete{{/SHIPPING_COMPLETED}}{{#PRE_VALIDATION}} cuando se apruebe la devolución{{/PRE_VALIDATION}}{{#POST_VALIDATION}} cuando hayamos revisado los artículos{{/POST_VALIDATION}}.
{{/due}}

Un saludo
`,
  fr: `Bonjour{{#customer}} {{customer}}{{/customer}},

{{#NEEDS_VALIDATION}}
Nous avons bien votre demande de retour {{return}}{{#order}} pour la commande {{order}}{{/order}}. Elle attend d'être approuvée.
{{/NEEDS_VALIDATION}}
{{#PENDING}}
Votre retour {{return}}{{#order}} pour la commande {{order}}{{/order}} est enregistré. Nous n'avons pas encore reçu le colis.
{{/PENDING}}
{{#RECEPTION_IN_PROGRESS}}
Le colis de votre retour {{return}}{{#order}} pour la commande {{order}}{{/order}} est en route vers nous.
{{/RECEPTION_IN_PROGRESS}}
{{#RECEPTION_COMPLETED}}
Le colis de votre retour {{return}}{{#order}} pour la commande {{order}}{{/order}} est arrivé.
{{/RECEPTION_COMPLETED}}
{{#RECEIVED}}
Nous avons reçu votre retour {{return}}{{#order}} pour la commande {{order}}{{/order}}. Les articles doivent encore être contrôlés.
{{/RECEIVED}}
{{#CHECKED}}
Nous avons reçu et contrôlé votre retour {{return}}{{#order}} pour la commande {{order}}{{/order}}.
{{/CHECKED}}
{{#CLOSED}}
Votre retour {{return}}{{#order}} pour la commande {{order}}{{/order}} est clôturé.
{{/CLOSED}}
{{#DISCARDED}}
Votre retour {{return}}{{#order}} pour la commande {{order}}{{/order}} a été annulé.
{{/DISCARDED}}
{{#EXPIRED}}
Votre retour {{return}}{{#order}} pour la commande {{order}}{{/order}} a expiré : le colis n'est pas arrivé à temps.
{{/EXPIRED}}
{{#lastScan}}
{{#carrier}}{{carrier}} a enregistré le colis{{/carrier}}{{^carrier}}Le colis a été enregistré{{/carrier}} pour la dernière fois le {{lastScan}}.
{{/lastScan}}
{{#pickupDate}}
L'enlèvement est prévu pour le {{pickupDate}}.
{{/pickupDate}}
{{#trackingUrl}}
Vous pouvez le suivre ici : {{trackingUrl}}
{{/trackingUrl}}

{{#refunded}}
{{#date}}Le {{date}}, nous{{/date}}{{^date}}Nous{{/date}} vous avons remboursé {{amount}}{{#ORIGINAL_PAYMENT_METHOD}} par votre moyen de paiement d'origine{{/ORIGINAL_PAYMENT_METHOD}}{{#STORE_CREDIT}} sous forme d'avoir{{/STORE_CREDIT}}{{#GIFT_CARD}} sur une carte cadeau{{/GIFT_CARD}}{{#EXCHANGE}} sous forme d'échange{{/EXCHANGE}}.
{{/refunded}}
{{#due}}
Nous vous rembourserons {{amount}}{{#DROP_OFF}} dès que le colis sera déposé{{/DROP_OFF}}{{#SHIPPING_IN_PROGRESS}} dès que le colis sera en route{{/SHIPPING_IN_PROGRESS}}{{#SHIPPING_COMPLETED}} dès l'arrivée du colis{{/SHIPPING_COMPLETED}}{{#PRE_VALIDATION}} dès que le retour sera approuvé{{/PRE_VALIDATION}}{{#POST_VALIDATION}} dès que les articles seront contrôlés{{/POST_VALIDATION}}.
{{/due}}

Cordialement
`,
  de: `Guten Tag{{#customer}} {{customer}}{{/customer}},

{{#NEEDS_VALIDATION}}
Ihre Rücksendung {{return}}{{#order}} zur Bestellung {{order}}{{/order}} liegt uns vor. Sie muss noch freigegeben werden.
{{/NEEDS_VALIDATION}}
{{#PENDING}}
Ihre Rücksendung {{return}}{{#order}} zur Bestellung {{order}}{{/order}} ist angemeldet. Das Paket ist noch nicht bei uns.
{{/PENDING}}
{{#RECEPTION_IN_PROGRESS}}
das Paket Ihrer Rücksendung {{return}}{{#order}} zur Bestellung {{order}}{{/order}} ist auf dem Weg zu uns.
{{/RECEPTION_IN_PROGRESS}}
{{#RECEPTION_COMPLETED}}
das Paket Ihrer Rücksendung {{return}}{{#order}} zur Bestellung {{order}}{{/order}} ist angekommen.
{{/RECEPTION_COMPLETED}}
{{#RECEIVED}}
wir haben Ihre Rücksendung {{return}}{{#order}} zur Bestellung {{order}}{{/order}} erhalten. Die Artikel werden noch geprüft.
{{/RECEIVED}}
{{#CHECKED}}
wir haben Ihre Rücksendung {{return}}{{#order}} zur Bestellung {{order}}{{/order}} erhalten und geprüft.
{{/CHECKED}}
{{#CLOSED}}
Ihre Rücksendung {{return}}{{#order}} zur Bestellung {{order}}{{/order}} ist abgeschlossen.
{{/CLOSED}}
{{#DISCARDED}}
Ihre Rücksendung {{return}}{{#order}} zur Bestellung {{order}}{{/order}} wurde storniert.
{{/DISCARDED}}
{{#EXPIRED}}
Ihre Rücksendung {{return}}{{#order}} zur Bestellung {{order}}{{/order}} ist verfallen: Es kam kein Paket rechtzeitig an.
{{/EXPIRED}}
{{#lastScan}}
{{#carrier}}{{carrier}} hat das Paket zuletzt am {{lastScan}} erfasst{{/carrier}}{{^carrier}}Das Paket wurde zuletzt am {{lastScan}} erfasst{{/carrier}}.
{{/lastScan}}
{{#pickupDate}}
Die Abholung ist für den {{pickupDate}} vorgesehen.
{{/pickupDate}}
{{#trackingUrl}}
Hier können Sie es verfolgen: {{trackingUrl}}
{{/trackingUrl}}

{{#refunded}}
{{#date}}Am {{date}} haben wir{{/date}}{{^date}}Wir haben{{/date}} Ihnen {{amount}}{{#ORIGINAL_PAYMENT_METHOD}} über Ihr ursprüngliches Zahlungsmittel{{/ORIGINAL_PAYMENT_METHOD}}{{#STORE_CREDIT}} als Guthaben{{/STORE_CREDIT}}{{#GIFT_CARD}} als Geschenkkarte{{/GIFT_CARD}}{{#EXCHANGE}} als Umtausch{{/EXCHANGE}} erstattet.
{{/refunded}}
{{#due}}
{{amount}} erstatten wir Ihnen{{#DROP_OFF}}, sobald das Paket abgegeben ist{{/DROP_OFF}}{{#SHIPPING_IN_PROGRESS}}, sobald das Paket unterwegs ist{{/SHIPPING_IN_PROGRESS}}{{#SHIPPING_COMPLETED}}, sobald das Paket ankommt{{/SHIPPING_COMPLETED}}{{#PRE_VALIDATION}}, sobald die Rücksendung freigegeben ist{{/PRE_VALIDATION}}{{#POST_VALIDATION}}, sobald wir die Artikel geprüft haben{{/POST_VALIDATION}}.
{{/due}}

Freundliche Grüße
`,
  it: `Buongiorno{{#customer}} {{customer}}{{/customer}},

{{#NEEDS_VALIDATION}}
abbiamo ricevuto la Sua richiesta di reso {{return}}{{#order}} per l'ordine {{order}}{{/order}}. È in attesa di approvazione.
{{/NEEDS_VALIDATION}}
{{#PENDING}}
il Suo reso {{return}}{{#order}} per l'ordine {{order}}{{/order}} è registrato. Non abbiamo ancora ricevuto il pacco.
{{/PENDING}}
{{#RECEPTION_IN_PROGRESS}}
il pacco del Suo reso {{return}}{{#order}} per l'ordine {{order}}{{/order}} è in viaggio verso di noi.
{{/RECEPTION_IN_PROGRESS}}
{{#RECEPTION_COMPLETED}}
il pacco del Suo reso {{return}}{{#order}} per l'ordine {{order}}{{/order}} è arrivato.
{{/RECEPTION_COMPLETED}}
{{#RECEIVED}}
abbiamo ricevuto il Suo reso {{return}}{{#order}} per l'ordine {{order}}{{/order}}. Gli articoli devono ancora essere controllati.
{{/RECEIVED}}
{{#CHECKED}}
abbiamo ricevuto e controllato il Suo reso {{return}}{{#order}} per l'ordine {{order}}{{/order}}.
{{/CHECKED}}
{{#CLOSED}}
il Suo reso {{return}}{{#order}} per l'ordine {{order}}{{/order}} è chiuso.
{{/CLOSED}}
{{#DISCARDED}}
il Suo reso {{return}}{{#order}} per l'ordine {{order}}{{/order}} è stato annullato.
{{/DISCARDED}}
{{#EXPIRED}}
il Suo reso {{return}}{{#order}} per l'ordine {{order}}{{/order}} è scaduto: il pacco non è arrivato in tempo.
{{/EXPIRED}}
{{#lastScan}}
{{#carrier}}{{carrier}} ha registrato il pacco{{/carrier}}{{^carrier}}Il pacco è stato registrato{{/carrier}} l'ultima volta il {{lastScan}}.
{{/lastScan}}
{{#pickupDate}}
Il ritiro è previsto per il {{pickupDate}}.
{{/pickupDate}}
{{#trackingUrl}}
Può seguirlo qui: {{trackingUrl}}
{{/trackingUrl}}

{{#refunded}}
{{#date}}Il {{date}} {{/date}}Le abbiamo rimborsato {{amount}}{{#ORIGINAL_PAYMENT_METHOD}} sul metodo di pagamento originale{{/ORIGINAL_PAYMENT_METHOD}}{{#STORE_CREDIT}} come credito in negozio{{/STORE_CREDIT}}{{#GIFT_CARD}} su una carta regalo{{/GIFT_CARD}}{{#EXCHANGE}} come cambio{{/EXCHANGE}}.
{{/refunded}}
{{#due}}
Le rimborseremo {{amount}}{{#DROP_OFF}} quando il pacco sarà consegnato al corriere{{/DROP_OFF}}{{#SHIPPING_IN_PROGRESS}} quando il pacco sarà in viaggio{{/SHIPPING_IN_PROGRESS}}{{#SHIPPING_COMPLETED}} all'arrivo del pacco{{/SHIPPING_COMPLETED}}{{#PRE_VALIDATION}} quando il reso sarà approvato{{/PRE_VALIDATION}}{{#POST_VALIDATION}} quando avremo controllato gli articoli{{/POST_VALIDATION}}.
{{/due}}

Cordiali saluti
`,
}
