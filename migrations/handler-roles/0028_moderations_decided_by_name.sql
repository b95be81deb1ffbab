-- What 0015_valgomat_moderations.sql gave the function that was replaced: its owner and whoever may call it stay.
-- Live systems: nothing is locked.

alter function decide_valgomat_question(uuid, uuid, text, timestamptz, text, text) security definer;
