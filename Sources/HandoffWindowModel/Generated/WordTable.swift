// SPDX-License-Identifier: Apache-2.0

// By Scripts/words from Desktop/words and Extension/_locales.

package enum Word: Int, CaseIterable, Sendable {
    case popupHeading
    case settings
    case nothing
    case problemActivityGone
    case problemConnectionUnavailable
    case problemDeviceLost
    case problemAppDidNotAnswer
    case problemAppDidNotStart
    case problemNoApp
    case problemCancelled
    case problemOther
    case activities
    case devices
    case cancel
    case close
    case next
    case back
    case tryAgain
    case noDaemonHeading
    case noDaemonBody
    case welcomeHeading
    case welcomeBody
    case firstDevice
    case firstDeviceDetail
    case joinChoice
    case joinChoiceDetail
    case recoverChoice
    case recoverChoiceDetail
    case keyHeading
    case keyBody
    case keyLastGroup
    case keyMismatch
    case recoverHeading
    case recoverBody
    case recover
    case joinHeading
    case joinBody
    case code
    case address
    case join
    case looking
    case compareHere
    case addDevice
    case inviteBody
    case inviteTerminal
    case inviteUntil
    case pictureCode
    case copy
    case copied
    case waiting
    case asksToJoin
    case compareThere
    case admit
    case decline
    case joined
    case done
    case later
    case continueHere
    case continueLabel
    case aPage
    case justNow
    case minutesAgo
    case hoursAgo
    case daysAgo
    case gone
    case phasePreparing
    case phaseStarting
    case phaseAnnouncing
    case phaseFetching
    case phaseDelivering
    case phaseDocument
    case phaseDocumentOnly
    case continuedIn
    case openedPage
    case sendTo
    case sendLabel
    case sending
    case sentTo
    case keptFor
    case notSent
    case sentHere
    case dismiss
    case dismissLabel
    case emptyAlone
    case emptyApart
    case emptyQuiet
    case emptyUnfit
    case emptyOff
    case thisDevice
    case connected
    case connectedAt
    case notConnected
    case lastAt
    case rename
    case renameLabel
    case newName
    case remove
    case removeLabel
    case removeHeading
    case removeBody
    case onThisDevice
    case offers
    case receives
    case offUntil
    case byAdministrator
    case apps
    case noApps
    case appOffers
    case appReceives
    case inDevelopment
    case notTrusted
    case teams
    case noTeams
    case teamDetail
    case distrust
    case distrustLabel
    case distrustHeading
    case distrustBody
    case sites
    case noSites
    case automatic
    case browser
    case problemAppTimedOut
    case problemAppGone
    case problemPayloadTooLarge
    case problemDocumentGone
    case problemDocumentChanged
    case problemDocumentNotPlaced
    case problemNoInvite
    case problemWrongCode
    case problemMistyped
    case problemInviteExpired
    case problemInviteUsedUp
    case problemInviterNotFound
    case problemJoinDeclined
    case problemWrongKey
    case problemNotAllowed
    case problemStateNotWritable
    case adviceSameNetwork
    case adviceOpenThere
    case adviceLookThere
    case adviceOpenHere
    case adviceInstall
    case adviceAgain
    case adviceNewCode
    case adviceCompareCode
    case adviceCompareKey
    case adviceFindByAddress
    case adviceSpace
    case noBrowser
}

package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case italian = "it"

    /// By the number of the word.
    var texts: [String] {
        switch self {
        case .english: WordTable.english
        case .german: WordTable.german
        case .french: WordTable.french
        case .spanish: WordTable.spanish
        case .italian: WordTable.italian
        }
    }
}

private enum WordTable {
    static let english: [String] = [
        "On your other devices",
        "Settings",
        "Nothing to continue.",
        "That activity is no longer available.",
        "The other device cannot be reached.",
        "The connection to the other device was lost.",
        "The app did not answer.",
        "The app did not start.",
        "Nothing here can continue it.",
        "Another activity was continued instead.",
        "Something went wrong.",
        "Activities",
        "Devices",
        "Cancel",
        "Close",
        "Next",
        "Back",
        "Try Again",
        "Handoff Is Not Running",
        "It starts when you log in. To start it now, run this in a terminal:\n$1",
        "Go On Where You Left Off",
        "What you do on one of your devices can be continued on the others. They talk to each other directly, encrypted, without a cloud.",
        "This Is My First Device",
        "Creates an account",
        "Join with a Code",
        "Another of your devices shows it",
        "Use a Recovery Key",
        "If you have lost all other devices",
        "Your Recovery Key",
        "Write it down and keep it apart from your devices. It lets you back in if you lose them all. It is shown only now and stored nowhere.",
        "Last five characters of the key",
        "These are not its last five characters.",
        "Recovery Key",
        "Type the key that you wrote down when you created the account. This device becomes a member.",
        "Recover",
        "Join with a Code",
        "On a device of your account, open Handoff, choose “Add a Device” and type the code it shows.",
        "Code",
        "Address, if it is not found",
        "Join",
        "Looking for the other device…",
        "Does the other device show this number? Then confirm it there.",
        "Add a Device",
        "On the other device, open Handoff, choose “Join with a Code” and type this:",
        "In a terminal there: $1",
        "Valid once, until $1",
        "The code as a picture",
        "Copy",
        "Copied.",
        "Waiting for the other device…",
        "“$1” wants to join",
        "Does it show this number?",
        "It Does: Admit It",
        "No",
        "“$1” has joined.",
        "Done",
        "Later",
        "Continue",
        "Continue “$1” from $2",
        "A web page",
        "just now",
        "$1 min ago",
        "$1 h ago",
        "$1 d ago",
        "No longer available",
        "Preparing…",
        "Starting the app…",
        "The app is getting ready…",
        "Fetching from $1…",
        "Handing over…",
        "Fetching “$1”, $2 %",
        "Fetching “$1”…",
        "Continued in $1.",
        "Opened in the browser.",
        "Send to…",
        "Send “$1” to another device",
        "Being sent…",
        "Sent to $1.",
        "Kept here. $1 gets it as soon as it can.",
        "Not sent: $1",
        "sent to this device",
        "Dismiss",
        "Dismiss “$1”",
        "This is your only device so far.",
        "None of your other devices is connected. They find each other on the same network.",
        "What you do in an app on another device appears here.",
        "No app here can continue what your other devices offer.",
        "Continuing here is switched off.",
        "This device",
        "Connected",
        "Connected at $1",
        "Not connected",
        "Not connected; last reached at $1",
        "Rename",
        "Rename “$1”",
        "Name",
        "Remove",
        "Remove “$1”",
        "Remove “$1”?",
        "Your other devices cut it off at once, and it hears nothing from them any more. To come back it has to leave the account and join again.",
        "On this device",
        "Show my activity to my other devices",
        "Continue here what they offer",
        "Off until $1",
        "Switched off by the administrator",
        "Apps",
        "No apps that take part are installed.",
        "Show its activity to my other devices",
        "Continue in it",
        "In development, on this device only",
        "Takes no part: its developer is not trusted here",
        "Developers",
        "No developer is trusted yet. You are asked when you install an app.",
        "$1 · apps here: $2",
        "Stop Trusting",
        "Stop trusting “$1”",
        "Stop Trusting “$1”?",
        "Its apps take no part in Handoff on this device until you trust it again.",
        "Web pages",
        "No installed app claims the pages of a site.",
        "Automatic",
        "Browser",
        "The app on the other device did not save in time.",
        "The app on the other device has quit.",
        "It is too large to be continued here.",
        "Its document is no longer on the other device.",
        "Its document changed while it was being fetched.",
        "Its document could not be put in its place here.",
        "No device with this code was found.",
        "This code is not right.",
        "There is a typing mistake in it.",
        "The code has expired.",
        "The code has been used up.",
        "The other device was not found.",
        "The other device declined.",
        "This key is of no account that is known here.",
        "That is not allowed.",
        "Handoff cannot write its files.",
        "Check that it is on and on the same network, then try again.",
        "Open it on the other device once more.",
        "See whether the app on the other device is waiting for you, then try again.",
        "Open the app here yourself, then try again.",
        "Install the app here, or look in the settings whether it is switched off.",
        "Try again.",
        "Have the other device show a new code.",
        "Compare it with what the other device shows.",
        "Compare it with what you wrote down.",
        "Check that both devices are on the same network, or type the address that the other one shows.",
        "See whether your home folder is full or not writable.",
        "No browser could be opened. Choose one in the settings of your desktop.",
    ]
    static let german: [String] = [
        "Auf deinen anderen Geräten",
        "Einstellungen",
        "Es gibt nichts, womit es weitergehen könnte.",
        "Das gibt es dort nicht mehr.",
        "Das andere Gerät ist nicht erreichbar.",
        "Das andere Gerät ist weg.",
        "Die App hat nicht geantwortet.",
        "Die App ist nicht gestartet.",
        "Hier macht nichts damit weiter.",
        "Inzwischen ging es mit etwas anderem weiter.",
        "Es hat nicht geklappt.",
        "Aktivitäten",
        "Geräte",
        "Abbrechen",
        "Schließen",
        "Weiter",
        "Zurück",
        "Noch einmal versuchen",
        "Handoff läuft nicht",
        "Es startet bei der Anmeldung. Um es jetzt zu starten, gib in einem Terminal ein:\n$1",
        "Dort weitermachen, wo du warst",
        "Was du auf einem Gerät tust, geht auf den anderen weiter. Sie sprechen direkt und verschlüsselt miteinander, ohne Cloud.",
        "Das ist mein erstes Gerät",
        "Legt ein Konto an",
        "Mit einem Code beitreten",
        "Ein anderes deiner Geräte zeigt ihn",
        "Einen Wiederherstellungsschlüssel verwenden",
        "Wenn alle anderen Geräte verloren sind",
        "Dein Wiederherstellungsschlüssel",
        "Schreib ihn auf und bewahre ihn getrennt von deinen Geräten auf. Er lässt dich wieder hinein, wenn du alle verlierst. Er wird nur jetzt gezeigt und nirgends gespeichert.",
        "Die letzten fünf Zeichen des Schlüssels",
        "Das sind nicht seine letzten fünf Zeichen.",
        "Wiederherstellungsschlüssel",
        "Gib den Schlüssel ein, den du beim Anlegen des Kontos aufgeschrieben hast. Dieses Gerät wird Mitglied.",
        "Wiederherstellen",
        "Mit einem Code beitreten",
        "Öffne Handoff auf einem Gerät deines Kontos, wähle „Gerät hinzufügen“ und gib den gezeigten Code ein.",
        "Code",
        "Adresse, falls es nicht gefunden wird",
        "Beitreten",
        "Das andere Gerät wird gesucht …",
        "Zeigt das andere Gerät diese Zahl? Dann bestätige sie dort.",
        "Gerät hinzufügen",
        "Öffne Handoff auf dem anderen Gerät, wähle „Mit einem Code beitreten“ und gib dies ein:",
        "In einem Terminal dort: $1",
        "Einmal gültig, bis $1",
        "Der Code als Bild",
        "Kopieren",
        "Kopiert.",
        "Warten auf das andere Gerät …",
        "„$1“ möchte beitreten",
        "Zeigt es diese Zahl?",
        "Ja, aufnehmen",
        "Nein",
        "„$1“ ist beigetreten.",
        "Fertig",
        "Später",
        "Weitermachen",
        "„$1“ von $2 hier weitermachen",
        "Eine Webseite",
        "gerade eben",
        "vor $1 Min.",
        "vor $1 Std.",
        "vor $1 T.",
        "Nicht mehr da",
        "Wird vorbereitet …",
        "Die App startet …",
        "Die App macht sich bereit …",
        "Wird von $1 geholt …",
        "Wird übergeben …",
        "„$1“ wird geholt, $2 %",
        "„$1“ wird geholt …",
        "Weiter in $1.",
        "Im Browser geöffnet.",
        "Senden an …",
        "„$1“ an ein anderes Gerät senden",
        "Wird gesendet …",
        "An $1 gesendet.",
        "Liegt hier bereit. $1 bekommt es, sobald es geht.",
        "Nicht gesendet: $1",
        "an dieses Gerät gesendet",
        "Verwerfen",
        "„$1“ verwerfen",
        "Das ist bisher dein einziges Gerät.",
        "Keins deiner anderen Geräte ist verbunden. Im selben Netz finden sie einander.",
        "Was du auf einem anderen Gerät in einer App tust, erscheint hier.",
        "Keine App hier kann mit dem weitermachen, was deine anderen Geräte anbieten.",
        "Weitermachen ist hier ausgeschaltet.",
        "Dieses Gerät",
        "Verbunden",
        "Verbunden über $1",
        "Nicht verbunden",
        "Nicht verbunden; zuletzt erreicht über $1",
        "Umbenennen",
        "„$1“ umbenennen",
        "Name",
        "Entfernen",
        "„$1“ entfernen",
        "„$1“ entfernen?",
        "Deine anderen Geräte trennen es sofort, und es hört nichts mehr von ihnen. Um zurückzukommen, muss es das Konto verlassen und neu beitreten.",
        "Auf diesem Gerät",
        "Meine Aktivitäten den anderen Geräten zeigen",
        "Mit ihren Aktivitäten hier weitermachen",
        "Aus bis $1",
        "Vom Administrator ausgeschaltet",
        "Apps",
        "Es ist keine App installiert, die mitmacht.",
        "Ihre Aktivitäten den anderen Geräten zeigen",
        "In ihr weitermachen",
        "In Entwicklung, nur auf diesem Gerät",
        "Macht nicht mit: ihrem Entwickler wird hier nicht vertraut",
        "Entwickler",
        "Noch wird keinem Entwickler vertraut. Du wirst gefragt, wenn du eine App installierst.",
        "$1 · Apps hier: $2",
        "Nicht mehr vertrauen",
        "„$1“ nicht mehr vertrauen",
        "„$1“ nicht mehr vertrauen?",
        "Seine Apps machen auf diesem Gerät nicht mehr mit, bis du ihm wieder vertraust.",
        "Webseiten",
        "Keine installierte App übernimmt Seiten einer Website.",
        "Automatisch",
        "Browser",
        "Die App auf dem anderen Gerät hat nicht rechtzeitig gespeichert.",
        "Die App auf dem anderen Gerät wurde beendet.",
        "Es ist zu groß, um hier weiterzugehen.",
        "Das Dokument ist auf dem anderen Gerät nicht mehr da.",
        "Das Dokument hat sich geändert, während es geholt wurde.",
        "Das Dokument konnte hier nicht abgelegt werden.",
        "Zu diesem Code wurde kein Gerät gefunden.",
        "Dieser Code ist nicht richtig.",
        "Darin ist ein Tippfehler.",
        "Der Code ist abgelaufen.",
        "Der Code ist verbraucht.",
        "Das andere Gerät wurde nicht gefunden.",
        "Das andere Gerät hat abgelehnt.",
        "Dieser Schlüssel passt zu keinem hier bekannten Konto.",
        "Das ist nicht erlaubt.",
        "Handoff kann seine Dateien nicht schreiben.",
        "Sieh nach, ob es an ist und im selben Netz, und versuch es noch einmal.",
        "Öffne es auf dem anderen Gerät noch einmal.",
        "Sieh nach, ob die App auf dem anderen Gerät auf dich wartet, und versuch es noch einmal.",
        "Öffne die App hier selbst und versuch es noch einmal.",
        "Installiere die App hier, oder sieh in den Einstellungen nach, ob sie ausgeschaltet ist.",
        "Versuch es noch einmal.",
        "Lass das andere Gerät einen neuen Code zeigen.",
        "Vergleich ihn mit dem, was das andere Gerät zeigt.",
        "Vergleich ihn mit dem, was du aufgeschrieben hast.",
        "Sieh nach, ob beide Geräte im selben Netz sind, oder gib die Adresse ein, die das andere zeigt.",
        "Sieh nach, ob dein persönlicher Ordner voll oder schreibgeschützt ist.",
        "Es ließ sich kein Browser öffnen. Wähle einen in den Einstellungen deines Desktops.",
    ]
    static let french: [String] = [
        "Sur vos autres appareils",
        "Paramètres",
        "Il n'y a rien à continuer.",
        "Cela n'y est plus.",
        "L'autre appareil est injoignable.",
        "L'autre appareil a disparu.",
        "L'application n'a pas répondu.",
        "L'application n'a pas démarré.",
        "Rien ici ne peut le continuer.",
        "Autre chose a été continué entre-temps.",
        "Cela n'a pas fonctionné.",
        "Activités",
        "Appareils",
        "Annuler",
        "Fermer",
        "Suivant",
        "Retour",
        "Réessayer",
        "Handoff ne fonctionne pas",
        "Il démarre à l’ouverture de session. Pour le démarrer maintenant, dans un terminal :\n$1",
        "Reprenez là où vous en étiez",
        "Ce que vous faites sur un appareil peut être continué sur les autres. Ils se parlent directement, de façon chiffrée, sans nuage.",
        "C’est mon premier appareil",
        "Crée un compte",
        "Rejoindre avec un code",
        "Un autre de vos appareils l’affiche",
        "Utiliser une clé de récupération",
        "Si vous avez perdu tous les autres",
        "Votre clé de récupération",
        "Notez-la et gardez-la loin de vos appareils. Elle vous rend l’accès si vous les perdez tous. Elle n’est montrée que maintenant et n’est enregistrée nulle part.",
        "Les cinq derniers caractères de la clé",
        "Ce ne sont pas ses cinq derniers caractères.",
        "Clé de récupération",
        "Saisissez la clé notée à la création du compte. Cet appareil en devient membre.",
        "Récupérer",
        "Rejoindre avec un code",
        "Sur un appareil de votre compte, ouvrez Handoff, choisissez « Ajouter un appareil » et saisissez le code affiché.",
        "Code",
        "Adresse, s’il n’est pas trouvé",
        "Rejoindre",
        "Recherche de l’autre appareil…",
        "L’autre appareil affiche ce nombre ? Alors confirmez là-bas.",
        "Ajouter un appareil",
        "Sur l’autre appareil, ouvrez Handoff, choisissez « Rejoindre avec un code » et saisissez ceci :",
        "Dans un terminal là-bas : $1",
        "Valable une fois, jusqu’à $1",
        "Le code en image",
        "Copier",
        "Copié.",
        "En attente de l’autre appareil…",
        "« $1 » veut rejoindre le compte",
        "Affiche-t-il ce nombre ?",
        "Oui, l’admettre",
        "Non",
        "« $1 » a rejoint le compte.",
        "Terminé",
        "Plus tard",
        "Continuer",
        "Continuer « $1 » de $2",
        "Une page web",
        "à l’instant",
        "il y a $1 min",
        "il y a $1 h",
        "il y a $1 j",
        "N’y est plus",
        "Préparation…",
        "L’application démarre…",
        "L’application se prépare…",
        "Récupération depuis $1…",
        "Remise…",
        "Récupération de « $1 », $2 %",
        "Récupération de « $1 »…",
        "Continué dans $1.",
        "Ouvert dans le navigateur.",
        "Envoyer à…",
        "Envoyer « $1 » à un autre appareil",
        "Envoi en cours…",
        "Envoyé à $1.",
        "Conservé ici. $1 le recevra dès que possible.",
        "Non envoyé : $1",
        "envoyé à cet appareil",
        "Écarter",
        "Écarter « $1 »",
        "C’est votre seul appareil pour l’instant.",
        "Aucun de vos autres appareils n’est connecté. Ils se trouvent sur le même réseau.",
        "Ce que vous faites dans une application d’un autre appareil apparaît ici.",
        "Aucune application ici ne peut continuer ce que proposent vos autres appareils.",
        "La reprise est désactivée ici.",
        "Cet appareil",
        "Connecté",
        "Connecté via $1",
        "Non connecté",
        "Non connecté ; joint en dernier via $1",
        "Renommer",
        "Renommer « $1 »",
        "Nom",
        "Retirer",
        "Retirer « $1 »",
        "Retirer « $1 » ?",
        "Vos autres appareils le coupent aussitôt, et il n’en reçoit plus rien. Pour revenir, il doit quitter le compte et le rejoindre de nouveau.",
        "Sur cet appareil",
        "Montrer mon activité à mes autres appareils",
        "Continuer ici ce qu’ils proposent",
        "Désactivé jusqu’à $1",
        "Désactivé par l’administrateur",
        "Applications",
        "Aucune application participante n’est installée.",
        "Montrer son activité à mes autres appareils",
        "Continuer dans celle-ci",
        "En développement, sur cet appareil seulement",
        "Ne participe pas : son développeur n’est pas approuvé ici",
        "Développeurs",
        "Aucun développeur n’est encore approuvé. La question est posée à l’installation d’une application.",
        "$1 · applications ici : $2",
        "Ne plus approuver",
        "Ne plus approuver « $1 »",
        "Ne plus approuver « $1 » ?",
        "Ses applications ne participent plus à Handoff sur cet appareil tant que vous ne l’approuvez pas à nouveau.",
        "Pages web",
        "Aucune application installée ne prend en charge les pages d’un site.",
        "Automatique",
        "Navigateur",
        "L’application de l’autre appareil n’a pas enregistré à temps.",
        "L’application de l’autre appareil a été fermée.",
        "C’est trop volumineux pour être continué ici.",
        "Son document n’est plus sur l’autre appareil.",
        "Son document a changé pendant la récupération.",
        "Son document n’a pas pu être mis en place ici.",
        "Aucun appareil n’a été trouvé pour ce code.",
        "Ce code n’est pas le bon.",
        "Il contient une faute de frappe.",
        "Le code a expiré.",
        "Le code a déjà servi.",
        "L’autre appareil n’a pas été trouvé.",
        "L’autre appareil a refusé.",
        "Cette clé ne correspond à aucun compte connu ici.",
        "Ce n’est pas autorisé.",
        "Handoff ne peut pas écrire ses fichiers.",
        "Vérifiez qu’il est allumé et sur le même réseau, puis réessayez.",
        "Ouvrez-le de nouveau sur l’autre appareil.",
        "Voyez si l’application de l’autre appareil vous attend, puis réessayez.",
        "Ouvrez vous-même l’application ici, puis réessayez.",
        "Installez l’application ici, ou voyez dans les paramètres si elle est désactivée.",
        "Réessayez.",
        "Faites afficher un nouveau code à l’autre appareil.",
        "Comparez avec ce que l’autre appareil affiche.",
        "Comparez avec ce que vous avez noté.",
        "Vérifiez que les deux appareils sont sur le même réseau, ou saisissez l’adresse que l’autre affiche.",
        "Voyez si votre dossier personnel est plein ou protégé.",
        "Aucun navigateur n’a pu être ouvert. Choisissez-en un dans les paramètres de votre bureau.",
    ]
    static let spanish: [String] = [
        "En tus otros dispositivos",
        "Ajustes",
        "No hay nada con lo que continuar.",
        "Eso ya no está allí.",
        "No se puede alcanzar el otro dispositivo.",
        "El otro dispositivo ha desaparecido.",
        "La aplicación no respondió.",
        "La aplicación no se inició.",
        "Aquí nada puede continuarlo.",
        "Mientras tanto se continuó con otra cosa.",
        "No funcionó.",
        "Actividades",
        "Dispositivos",
        "Cancelar",
        "Cerrar",
        "Siguiente",
        "Atrás",
        "Intentar de nuevo",
        "Handoff no está en marcha",
        "Se inicia al abrir la sesión. Para iniciarlo ahora, en una terminal:\n$1",
        "Sigue donde lo dejaste",
        "Lo que haces en un dispositivo puede continuarse en los demás. Hablan entre sí directamente y cifrados, sin nube.",
        "Es mi primer dispositivo",
        "Crea una cuenta",
        "Unirse con un código",
        "Lo muestra otro de tus dispositivos",
        "Usar una clave de recuperación",
        "Si has perdido todos los demás",
        "Tu clave de recuperación",
        "Anótala y guárdala lejos de tus dispositivos. Te devuelve el acceso si los pierdes todos. Solo se muestra ahora y no se guarda en ningún sitio.",
        "Los cinco últimos caracteres de la clave",
        "No son sus cinco últimos caracteres.",
        "Clave de recuperación",
        "Escribe la clave que anotaste al crear la cuenta. Este dispositivo pasa a ser miembro.",
        "Recuperar",
        "Unirse con un código",
        "En un dispositivo de tu cuenta, abre Handoff, elige «Añadir un dispositivo» y escribe el código que muestra.",
        "Código",
        "Dirección, si no se encuentra",
        "Unirse",
        "Buscando el otro dispositivo…",
        "¿El otro dispositivo muestra este número? Entonces confírmalo allí.",
        "Añadir un dispositivo",
        "En el otro dispositivo, abre Handoff, elige «Unirse con un código» y escribe esto:",
        "En una terminal de allí: $1",
        "Válido una vez, hasta las $1",
        "El código como imagen",
        "Copiar",
        "Copiado.",
        "Esperando al otro dispositivo…",
        "«$1» quiere unirse",
        "¿Muestra este número?",
        "Sí, admitirlo",
        "No",
        "«$1» se ha unido.",
        "Listo",
        "Más tarde",
        "Continuar",
        "Continuar «$1» de $2",
        "Una página web",
        "ahora mismo",
        "hace $1 min",
        "hace $1 h",
        "hace $1 d",
        "Ya no está",
        "Preparando…",
        "Iniciando la aplicación…",
        "La aplicación se prepara…",
        "Trayendo de $1…",
        "Entregando…",
        "Trayendo «$1», $2 %",
        "Trayendo «$1»…",
        "Continuado en $1.",
        "Abierto en el navegador.",
        "Enviar a…",
        "Enviar «$1» a otro dispositivo",
        "Enviando…",
        "Enviado a $1.",
        "Se guarda aquí. $1 lo recibirá en cuanto sea posible.",
        "No se envió: $1",
        "enviado a este dispositivo",
        "Descartar",
        "Descartar «$1»",
        "De momento es tu único dispositivo.",
        "Ninguno de tus otros dispositivos está conectado. Se encuentran en la misma red.",
        "Aquí aparece lo que haces en una aplicación de otro dispositivo.",
        "Ninguna aplicación de aquí puede continuar lo que ofrecen tus otros dispositivos.",
        "Continuar aquí está desactivado.",
        "Este dispositivo",
        "Conectado",
        "Conectado en $1",
        "No conectado",
        "No conectado; visto por última vez en $1",
        "Cambiar nombre",
        "Cambiar el nombre de «$1»",
        "Nombre",
        "Quitar",
        "Quitar «$1»",
        "¿Quitar «$1»?",
        "Tus otros dispositivos lo desconectan enseguida y ya no recibe nada de ellos. Para volver tiene que dejar la cuenta y unirse de nuevo.",
        "En este dispositivo",
        "Mostrar mi actividad a mis otros dispositivos",
        "Continuar aquí lo que ofrecen",
        "Desactivado hasta $1",
        "Desactivado por el administrador",
        "Aplicaciones",
        "No hay instalada ninguna aplicación que participe.",
        "Mostrar su actividad a mis otros dispositivos",
        "Continuar en ella",
        "En desarrollo, solo en este dispositivo",
        "No participa: aquí no se confía en su desarrollador",
        "Desarrolladores",
        "Todavía no se confía en ningún desarrollador. Se te pregunta al instalar una aplicación.",
        "$1 · aplicaciones aquí: $2",
        "Dejar de confiar",
        "Dejar de confiar en «$1»",
        "¿Dejar de confiar en «$1»?",
        "Sus aplicaciones no participan en Handoff en este dispositivo hasta que vuelvas a confiar en él.",
        "Páginas web",
        "Ninguna aplicación instalada se ocupa de las páginas de un sitio.",
        "Automático",
        "Navegador",
        "La aplicación del otro dispositivo no guardó a tiempo.",
        "La aplicación del otro dispositivo se cerró.",
        "Es demasiado grande para continuarlo aquí.",
        "Su documento ya no está en el otro dispositivo.",
        "Su documento cambió mientras se traía.",
        "No se pudo colocar aquí su documento.",
        "No se encontró ningún dispositivo con este código.",
        "Este código no es correcto.",
        "Contiene un error al teclear.",
        "El código ha caducado.",
        "El código ya se ha usado.",
        "No se encontró el otro dispositivo.",
        "El otro dispositivo lo rechazó.",
        "Esta clave no es de ninguna cuenta conocida aquí.",
        "Eso no está permitido.",
        "Handoff no puede escribir sus archivos.",
        "Comprueba que está encendido y en la misma red, e inténtalo de nuevo.",
        "Ábrelo otra vez en el otro dispositivo.",
        "Mira si la aplicación del otro dispositivo te espera e inténtalo de nuevo.",
        "Abre tú la aplicación aquí e inténtalo de nuevo.",
        "Instala la aplicación aquí, o mira en los ajustes si está desactivada.",
        "Inténtalo de nuevo.",
        "Haz que el otro dispositivo muestre un código nuevo.",
        "Compáralo con lo que muestra el otro dispositivo.",
        "Compárala con lo que anotaste.",
        "Comprueba que ambos están en la misma red, o escribe la dirección que muestra el otro.",
        "Mira si tu carpeta personal está llena o protegida.",
        "No se pudo abrir ningún navegador. Elige uno en los ajustes de tu escritorio.",
    ]
    static let italian: [String] = [
        "Sugli altri tuoi dispositivi",
        "Impostazioni",
        "Non c’è nulla da continuare.",
        "Non c’è più.",
        "L’altro dispositivo non è raggiungibile.",
        "L’altro dispositivo è sparito.",
        "L’app non ha risposto.",
        "L’app non si è avviata.",
        "Qui nulla può continuarlo.",
        "Nel frattempo si è continuato con altro.",
        "Non ha funzionato.",
        "Attività",
        "Dispositivi",
        "Annulla",
        "Chiudi",
        "Avanti",
        "Indietro",
        "Riprova",
        "Handoff non è in esecuzione",
        "Si avvia all’accesso. Per avviarlo ora, in un terminale:\n$1",
        "Riprendi da dove eri",
        "Ciò che fai su un dispositivo può continuare sugli altri. Parlano tra loro direttamente e cifrati, senza cloud.",
        "È il mio primo dispositivo",
        "Crea un account",
        "Unisciti con un codice",
        "Lo mostra un altro dei tuoi dispositivi",
        "Usa una chiave di recupero",
        "Se hai perso tutti gli altri",
        "La tua chiave di recupero",
        "Annotala e tienila lontana dai tuoi dispositivi. Ti fa rientrare se li perdi tutti. Viene mostrata solo ora e non è salvata da nessuna parte.",
        "Gli ultimi cinque caratteri della chiave",
        "Non sono i suoi ultimi cinque caratteri.",
        "Chiave di recupero",
        "Scrivi la chiave annotata quando hai creato l’account. Questo dispositivo ne diventa membro.",
        "Recupera",
        "Unisciti con un codice",
        "Su un dispositivo del tuo account apri Handoff, scegli «Aggiungi un dispositivo» e scrivi il codice mostrato.",
        "Codice",
        "Indirizzo, se non viene trovato",
        "Unisciti",
        "Ricerca dell’altro dispositivo…",
        "L’altro dispositivo mostra questo numero? Allora confermalo lì.",
        "Aggiungi un dispositivo",
        "Sull’altro dispositivo apri Handoff, scegli «Unisciti con un codice» e scrivi questo:",
        "In un terminale lì: $1",
        "Valido una volta, fino alle $1",
        "Il codice come immagine",
        "Copia",
        "Copiato.",
        "In attesa dell’altro dispositivo…",
        "«$1» vuole unirsi",
        "Mostra questo numero?",
        "Sì, ammettilo",
        "No",
        "«$1» si è unito.",
        "Fine",
        "Più tardi",
        "Continua",
        "Continua «$1» da $2",
        "Una pagina web",
        "adesso",
        "$1 min fa",
        "$1 h fa",
        "$1 g fa",
        "Non c’è più",
        "Preparazione…",
        "Avvio dell’app…",
        "L’app si prepara…",
        "Recupero da $1…",
        "Consegna…",
        "Recupero di «$1», $2 %",
        "Recupero di «$1»…",
        "Continuato in $1.",
        "Aperto nel browser.",
        "Invia a…",
        "Invia «$1» a un altro dispositivo",
        "Invio in corso…",
        "Inviato a $1.",
        "Conservato qui. $1 lo riceverà appena possibile.",
        "Non inviato: $1",
        "inviato a questo dispositivo",
        "Ignora",
        "Ignora «$1»",
        "Per ora è il tuo unico dispositivo.",
        "Nessuno dei tuoi altri dispositivi è connesso. Si trovano sulla stessa rete.",
        "Qui appare ciò che fai in un’app di un altro dispositivo.",
        "Nessuna app qui può continuare ciò che offrono gli altri dispositivi.",
        "La continuazione qui è disattivata.",
        "Questo dispositivo",
        "Connesso",
        "Connesso tramite $1",
        "Non connesso",
        "Non connesso; raggiunto l’ultima volta a $1",
        "Rinomina",
        "Rinomina «$1»",
        "Nome",
        "Rimuovi",
        "Rimuovi «$1»",
        "Rimuovere «$1»?",
        "Gli altri dispositivi lo escludono subito e non riceve più nulla da loro. Per tornare deve lasciare l’account e unirsi di nuovo.",
        "Su questo dispositivo",
        "Mostra la mia attività agli altri dispositivi",
        "Continua qui ciò che offrono",
        "Disattivato fino a $1",
        "Disattivato dall’amministratore",
        "App",
        "Nessuna app partecipante è installata.",
        "Mostra la sua attività agli altri dispositivi",
        "Continua in questa app",
        "In sviluppo, solo su questo dispositivo",
        "Non partecipa: qui il suo sviluppatore non è considerato attendibile",
        "Sviluppatori",
        "Nessuno sviluppatore è ancora considerato attendibile. Ti viene chiesto quando installi un’app.",
        "$1 · app qui: $2",
        "Revoca la fiducia",
        "Revoca la fiducia a «$1»",
        "Revocare la fiducia a «$1»?",
        "Le sue app non partecipano a Handoff su questo dispositivo finché non torni a considerarlo attendibile.",
        "Pagine web",
        "Nessuna app installata gestisce le pagine di un sito.",
        "Automatico",
        "Browser",
        "L’app sull’altro dispositivo non ha salvato in tempo.",
        "L’app sull’altro dispositivo è stata chiusa.",
        "È troppo grande per continuare qui.",
        "Il suo documento non è più sull’altro dispositivo.",
        "Il suo documento è cambiato durante il recupero.",
        "Non è stato possibile collocare qui il suo documento.",
        "Nessun dispositivo trovato con questo codice.",
        "Questo codice non è giusto.",
        "Contiene un errore di battitura.",
        "Il codice è scaduto.",
        "Il codice è già stato usato.",
        "L’altro dispositivo non è stato trovato.",
        "L’altro dispositivo ha rifiutato.",
        "Questa chiave non è di nessun account noto qui.",
        "Non è consentito.",
        "Handoff non può scrivere i suoi file.",
        "Controlla che sia acceso e sulla stessa rete, poi riprova.",
        "Aprilo di nuovo sull’altro dispositivo.",
        "Guarda se l’app sull’altro dispositivo ti aspetta, poi riprova.",
        "Apri tu stesso l’app qui, poi riprova.",
        "Installa l’app qui, o guarda nelle impostazioni se è disattivata.",
        "Riprova.",
        "Fai mostrare un nuovo codice all’altro dispositivo.",
        "Confrontalo con ciò che mostra l’altro dispositivo.",
        "Confrontala con ciò che hai annotato.",
        "Controlla che siano sulla stessa rete, o scrivi l’indirizzo mostrato dall’altro.",
        "Guarda se la tua cartella personale è piena o protetta.",
        "Non è stato possibile aprire un browser. Scegline uno nelle impostazioni del desktop.",
    ]
}
