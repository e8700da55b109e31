"""The phases of a deal: what each allows and does; `phase_order` alone knows where they lead."""
