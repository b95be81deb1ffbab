-- What 0010_result_node_of_its_own.sql gave the function that was replaced.
-- Live systems: nothing is locked.

alter function result_node(uuid, uuid, text) security definer;
