import { belowBase } from "./lib/base";
import { mount } from "svelte";
import App from "./app/App.svelte";
import "./styles/tokens.css";
import "./styles/base.css";

if (belowBase(location.pathname).startsWith("/t/")) void import("./game/Play.svelte"); // beside our own start: most come to play

mount(App, { target: document.getElementById("app")! });
