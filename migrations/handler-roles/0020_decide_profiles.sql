-- What 0009_valgomat_profiles.sql gave the function that was replaced: its owner and whoever may call it stay.
-- Live systems: nothing is locked.

alter function decide_valgomat_profile(uuid, text, text, text, uuid[]) security definer;
