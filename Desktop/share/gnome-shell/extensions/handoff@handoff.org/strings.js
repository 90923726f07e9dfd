// SPDX-License-Identifier: Apache-2.0

// By Scripts/strings from Desktop/strings and Extension/_locales.

/* exported strings */

var strings = {
    "en": {
        "nothing": "Nothing to continue",
        "oneActivity": "1 activity on another device",
        "manyActivities": "$1 activities on other devices",
        "continueLabel": "Continue “$1” from $2",
        "aPage": "A web page",
        "openHandoff": "Open Handoff"
    },
    "de": {
        "nothing": "Nichts zum Fortsetzen",
        "oneActivity": "1 Aktivität auf einem anderen Gerät",
        "manyActivities": "$1 Aktivitäten auf anderen Geräten",
        "continueLabel": "„$1“ von $2 hier fortsetzen",
        "aPage": "Eine Webseite",
        "openHandoff": "Handoff öffnen"
    },
    "fr": {
        "nothing": "Rien à reprendre",
        "oneActivity": "1 activité sur un autre appareil",
        "manyActivities": "$1 activités sur d’autres appareils",
        "continueLabel": "Reprendre « $1 » depuis $2",
        "aPage": "Une page web",
        "openHandoff": "Ouvrir Handoff"
    },
    "es": {
        "nothing": "Nada que continuar",
        "oneActivity": "1 actividad en otro dispositivo",
        "manyActivities": "$1 actividades en otros dispositivos",
        "continueLabel": "Continuar «$1» desde $2",
        "aPage": "Una página web",
        "openHandoff": "Abrir Handoff"
    },
    "it": {
        "nothing": "Niente da continuare",
        "oneActivity": "1 attività su un altro dispositivo",
        "manyActivities": "$1 attività su altri dispositivi",
        "continueLabel": "Continua «$1» da $2",
        "aPage": "Una pagina web",
        "openHandoff": "Apri Handoff"
    },
    "zh_CN": {
        "nothing": "没有可以继续的内容",
        "oneActivity": "其他设备上有 1 项活动",
        "manyActivities": "其他设备上有 $1 项活动",
        "continueLabel": "继续来自 $2 的“$1”",
        "aPage": "网页",
        "openHandoff": "打开 Handoff"
    }
};
