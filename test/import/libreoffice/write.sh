#!/bin/sh
# Writes the workbooks of this folder from the .fods files beside them, with LibreOffice (Debian: libreoffice-calc).
set -eu
cd "$(dirname "$0")"
soffice --headless --convert-to xlsx prices.fods errors.fods two-sheets.fods
