"use strict";
tellerView.start();
