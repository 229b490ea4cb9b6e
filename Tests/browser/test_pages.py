"""The pages in a real Chromium. All parts share one Chromium, and each has windows of its
own. Screenshots are in .build/browser."""
import contextlib
import pathlib

import pytest

import alone
import big_screen
import capsule_ways
import capsules
import console
import console_checks
import console_drawing
import console_history
import console_keys
import console_language
import console_lists
import console_page
import console_places
import crowd
import dead_line
import feel
import feel_paths
import forgotten_password
import ground_times
import host_acts
import invitations
import late_fixes
import nicknames
import no_position
import notice_language
import page_checks
import plans
import profiles
import readable
import rooms
import screen_sizes
import server_away
import signing_in
import small_screens
import solo_runs
import steady_layout
import stories
import story_capsules
import story_hiding
import story_photos
import story_tops
import story_ways
import taps
import tracks
from browser import DESKTOP, KOREAN, Browser
from feed import Feed
from program import ServerProcess, running

WEB = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "Server" / "Web"


@pytest.fixture(scope="module")
def server(madang, tmp_path_factory):
    """One server for all parts that do not keep it from serving."""
    with running(madang, tmp_path_factory.mktemp("pages"), "--admin-port", "0", "--map", "none") as server:
        yield server


@pytest.fixture
def origin(server):
    return f"http://{server.address}"


@pytest.fixture
def failing_server(madang, tmp_path):
    """Begins a server that may be told to end, started anew, and kept from writing: failing_server(grace_s)."""
    servers = []

    def begin(grace_s):
        options = ("--web-root", WEB, "--grace-seconds", str(grace_s), "--map", "none")
        servers.append(ServerProcess(madang, tmp_path / "data", tmp_path / "server.log", *options))
        servers[-1].launch()
        return servers[-1]

    yield begin
    for server in servers:
        server.destroy()


@pytest.fixture
def browser(request, chromium):
    """Opens the windows of a part: with browser() as ..."""
    return lambda: Browser(request.node.name.removeprefix("test_").replace("_", "-"), chromium)


def test_rooms_by_a_qr_are_played_to_the_end_over_a_reload_and_a_broken_line(browser, origin):
    """The first load is small, and the next game begins."""
    with browser() as opened:
        rooms.play_footprints(opened, origin)


def test_rooms_that_are_gone_are_made_anew_by_one_tap(browser, origin):
    with browser() as opened:
        rooms.meet_again(opened, origin)


def test_rooms_ask_their_host_who_lets_one_in_and_refuses_another(browser, origin):
    with browser() as opened:
        rooms.ask_the_host(opened, origin)


def test_rooms_have_notices_in_the_language_that_is_chosen_later(browser, origin):
    """Toasts, announcements, faults of forms, those who ask to come in, and the big screen's notice."""
    with browser() as opened:
        notice_language.change_the_language(opened, origin)


def test_hosts_remove_players_and_lock_their_rooms(browser, origin):
    """A removed player sees why and can't come back; a locked room says so before a tap."""
    with browser() as opened:
        host_acts.remove_and_lock(opened, origin)


def test_runs_around_a_land_are_ranked_and_give_a_badge(browser, serve, tmp_path):
    """The land was imported by an operator; the first load is small."""
    server = serve("--admin-port", "0", "--map", "none")
    with browser() as opened:
        solo_runs.run_around_a_land(opened, server, tmp_path)


def test_runs_without_a_land_go_on_without_a_network_and_are_proposed(browser, serve):
    server = serve("--map", "none")
    with browser() as opened:
        solo_runs.walk_without_a_land(opened, server)


def test_alone_a_newcomer_takes_the_first_ground_by_what_the_page_says(browser, origin):
    with browser() as opened:
        alone.take_first_ground(opened, origin)


def test_alone_a_loop_too_near_its_start_is_told(browser, origin):
    with browser() as opened:
        alone.come_around_too_near(opened, origin)


def test_alone_a_game_with_practice_opponents_is_played_to_the_end(browser, origin, server):
    """They are told from players by their marks, to players, the big screen and operators."""
    with browser() as opened:
        alone.play_to_the_end(opened, origin, server.admin)


def test_territory_is_walked_around_and_taken_and_both_see_it(browser, origin):
    with browser() as opened:
        rooms.play_territory(opened, origin)


def test_tracks_are_looked_at_shared_by_a_link_and_revoked(browser, origin):
    with browser() as opened:
        tracks.look_back_and_share(opened, origin)


def test_taps_are_counted_by_fingers_and_two_pages_see_the_race_move(browser, origin):
    with browser() as opened:
        taps.tap_for_schools(opened, origin)


def test_taps_wait_for_a_slow_network_without_a_jump_and_say_what_fails(browser, origin):
    with browser() as opened:
        taps.wait_for_the_race(opened, origin)


def test_capsules_are_buried_walked_to_opened_and_changed(browser, origin):
    """The first load is small, and nothing opens from afar."""
    with browser() as opened:
        capsules.bury_walk_and_open(opened, origin)


def test_capsules_of_one_spot_are_one_mark_and_their_list_has_pages(browser, origin):
    with browser() as opened:
        capsules.look_at_many(opened, origin)


def test_capsules_in_clusters_are_marks_with_their_numbers(browser, origin):
    with browser() as opened:
        capsule_ways.look_at_clusters(opened, origin)


def test_capsules_are_shared_with_a_room(browser, origin):
    with browser() as opened:
        capsule_ways.share_with_a_room(opened, origin)


def test_capsules_open_by_the_receiver(browser, origin):
    with browser() as opened:
        capsule_ways.open_by_receiver(opened, origin)


def test_capsules_open_after_a_broken_line(browser, origin):
    with browser() as opened:
        capsule_ways.come_back(opened, origin)


def test_stories_with_pictures_are_written_and_another_sees_all_of_it_live(browser, origin):
    """The first load is small; comments, likes, edits and the end come by themselves."""
    with browser() as opened:
        stories.write_and_see_it_live(opened, origin)


def test_stories_show_pictures_that_the_list_heard_of_first(browser, origin):
    with browser() as opened:
        stories.see_pictures_that_the_list_heard_of_first(opened, origin)


def test_stories_of_a_stale_version_are_kept_and_told(browser, origin):
    with browser() as opened:
        stories.edit_a_stale_version(opened, origin)


def test_stories_with_wrong_fields_are_refused_in_words(browser, origin):
    with browser() as opened:
        stories.refuse_fields(opened, origin)


def test_stories_are_listed_in_pages_and_by_country_on_the_smallest_phone(browser, origin):
    with browser() as opened:
        stories.look_at_lists(opened, origin)


def test_stories_of_a_blocked_player_are_gone(browser, origin):
    with browser() as opened:
        story_ways.block(opened, origin)


def test_stories_that_are_reported_are_gone_for_the_reporter(browser, origin):
    with browser() as opened:
        story_ways.report(opened, origin)


def test_stories_of_a_list_that_becomes_empty_are_gone(browser, origin):
    with browser() as opened:
        story_ways.empty_a_list(opened, origin)


def test_stories_that_move_up_in_a_list_are_not_called_new(browser, origin):
    with browser() as opened:
        story_ways.shorten_a_list(opened, origin)


def test_stories_that_operators_hide_are_shown_as_hidden_to_their_author(browser, serve):
    server = serve("--admin-port", "0")
    with browser() as opened:
        story_hiding.hide(opened, f"http://{server.address}", server.admin)


def test_stories_of_a_country_have_its_photo_and_who_made_it(browser, serve, tmp_path):
    story_photos.fill(tmp_path / "source")
    server = serve("--photo-source", str(tmp_path / "source"))
    with browser() as opened:
        story_photos.look_at_a_photo(opened, f"http://{server.address}")


def test_stories_that_are_best_say_when_their_order_is_another(browser, serve):
    server = serve()
    with browser() as opened:
        story_tops.follow_the_best(opened, f"http://{server.address}")


def test_stories_name_a_capsule_that_their_readers_are_shown(browser, origin):
    with browser() as opened:
        story_capsules.name_and_follow(opened, origin)


def test_stories_in_a_crowd_are_read_again_at_a_bounded_rate(browser, origin):
    with browser() as opened:
        story_ways.hear_a_crowd(opened, origin)


def test_stories_resume_an_upload_after_a_lost_line(browser, origin):
    with browser() as opened:
        story_ways.resume_an_upload(opened, origin)


def test_plans_are_put_in_order_shared_and_taken_over(browser, origin):
    """An edit behind another device's keeps what was typed."""
    with browser() as opened:
        plans.plan_share_and_take_over(opened, origin)


def test_profiles_are_edited_earn_and_are_met_by_an_authors_name(browser, origin):
    """An earned collectible comes as a toast; a reported profile loses its words, a blocked one is gone."""
    with browser() as opened:
        profiles.see_and_edit(opened, origin)


def test_crowd_of_two_hundred_is_drawn(browser, origin):
    with browser() as opened:
        host = opened.window("whose room it is", DESKTOP, KOREAN)
        symbols = rooms.make_room(host, origin, "FOOTPRINT", 60, "가람")
        crowd.draw_a_crowd(opened, origin, symbols)
        crowd.draw_ground(opened, origin, symbols)


def test_crowd_s_ground_costs_a_bounded_work_a_frame(browser, origin):
    """And it never vanishes while it is drawn anew."""
    with browser() as opened:
        host = opened.window("whose room it is", DESKTOP, KOREAN)
        symbols = rooms.make_room(host, origin, "FOOTPRINT", 300, "가람")
        ground_times.time_ground(opened, origin, symbols)
        ground_times.keep_ground(opened, origin, symbols)


@pytest.fixture
def made_up(browser, origin):
    """Opens a part over a made-up game, at the address of a room whose page there is: with made_up() as ..."""

    @contextlib.contextmanager
    def opened():
        with browser() as opened:
            host = opened.window("whose room it is", DESKTOP, KOREAN)
            yield opened, f"{origin}/j/{rooms.make_room(host, origin, 'TERRITORY', 300, '가람')}"

    return opened


def test_feel_of_captures_is_heard_and_nothing_with_sound_off(made_up):
    with made_up() as (opened, address):
        feel.hear_a_game(opened, address)


def test_feel_of_a_theft_has_a_moment_for_both_sides(made_up):
    with made_up() as (opened, address):
        feel.steal(opened, address)


def test_feel_of_a_path_glows_near_its_start(made_up):
    with made_up() as (opened, address):
        feel.come_near_the_start(opened, address)


def test_feel_of_a_path_stays_through_a_change_of_the_language(made_up):
    with made_up() as (opened, address):
        feel_paths.keep_the_path(opened, address)


def test_feel_of_a_way_on_own_ground_is_told_once(made_up):
    with made_up() as (opened, address):
        feel_paths.walk_own_ground(opened, address)


def test_feel_of_an_end_is_the_winners(made_up):
    with made_up() as (opened, address):
        feel_paths.end_a_game(opened, address)


def test_feel_of_new_ground_grows_from_the_closing_point(made_up):
    """There is no growth for a player who asked for no motion."""
    with made_up() as (opened, address):
        feel.take_ground_slowly(opened, address)


def test_feel_of_grounds_differs_without_colours(made_up):
    with made_up() as (opened, address):
        feel.tell_grounds_apart(opened, address)


def test_feel_of_a_crowd_has_no_covered_name(made_up):
    with made_up() as (opened, address):
        feel.write_names_in_a_crowd(opened, address)


def test_games_are_readable_in_the_sun_and_used_with_a_thumb(browser, origin):
    with browser() as opened:
        readable.play_readably(opened, origin)


def test_games_glide_for_nobody_who_asked_for_no_motion(browser, origin):
    with browser() as opened:
        readable.step_without_a_glide(opened, origin)


def test_games_keep_their_layout_as_others_act(browser, origin):
    """In the lobby, in open sheets, in the running game and at its end."""
    with browser() as opened:
        steady_layout.stay_in_place(opened, origin)


def test_small_screens_cut_nothing_off_and_cover_nothing(browser, origin):
    with browser() as opened:
        small_screens.play_on_small_screens(opened, origin)


def test_address_of_the_qr_is_chosen_on_the_server_s_own_machine(browser, origin):
    with browser() as opened:
        rooms.choose_address(opened, origin)


def test_players_with_a_listed_nickname_are_asked_for_another(browser, serve, tmp_path):
    words = tmp_path / "words"
    words.write_text("# none yet\n")
    server = serve("--word-list", str(words))
    with browser() as opened:
        nicknames.be_asked_for_another_nickname(opened, server, words)


def test_copy_by_hand_where_a_page_may_not_write_to_the_clipboard(browser, origin):
    with browser() as opened:
        rooms.copy_by_hand(opened, origin)


def test_lost_ways_are_told(browser, origin):
    """A room that does not exist, and an invalid code."""
    with browser() as opened:
        rooms.lose_the_way(opened, origin)


def test_lost_ways_lead_on(browser, origin):
    """The pages of a lost room and of an unknown path have a field for a code."""
    with browser() as opened:
        invitations.lead_on(opened, origin)


def test_invitation_tells_what_one_joins(browser, origin):
    with browser() as opened:
        invitations.see_what_one_joins(opened, origin)


def test_invitation_says_why_there_is_no_position(browser, origin):
    with browser() as opened:
        invitations.tell_why_there_is_no_position(opened, origin)


def test_invitation_leads_to_the_lobby_by_a_weak_network(browser, origin):
    """Measures alone."""
    with browser() as opened:
        invitations.measure_the_way_in(opened, origin)


def test_hosts_on_small_phones_see_qr_and_start(browser, origin):
    with browser() as opened:
        invitations.host_on_a_small_phone(opened, origin)


def test_players_of_a_room_are_blocked_and_reported(browser, origin):
    with browser() as opened:
        invitations.act_on_a_player(opened, origin)


def test_installed_pages_walk_without_a_network(browser, origin):
    with browser() as opened:
        invitations.walk_without_a_network(opened, origin)


def test_installed_pages_follow_the_server(browser, failing_server, tmp_path):
    """A new version is never hidden by what a browser holds."""
    with browser() as opened:
        invitations.take_over_after_an_upgrade(opened, failing_server(1), tmp_path, WEB)


def test_dead_line_is_noticed_and_the_seat_taken_again(browser, origin):
    with browser() as opened:
        dead_line.lose_a_line_in_silence(opened, origin)


def test_late_fixes_count_after_a_tunnel_and_a_closed_page(browser, origin):
    with browser() as opened:
        late_fixes.play_without_a_network(opened, origin)


def test_late_fixes_count_behind_the_end_while_the_board_waits(browser, origin):
    with browser() as opened:
        late_fixes.come_back_behind_the_end(opened, origin)


def test_no_position_is_told_practice_offered_and_a_late_position_played_with(browser, origin):
    with browser() as opened:
        no_position.wait_for_a_position(opened, origin)


def test_no_position_of_an_arena_is_told_and_none_inside_it(browser, origin):
    with browser() as opened:
        no_position.wait_for_the_arena(opened, origin)


def test_screen_shows_a_room_from_lobby_to_lobby_and_takes_no_seat(browser, failing_server):
    """It comes back by itself when the server was away."""
    with browser() as opened:
        big_screen.show_a_room(opened, failing_server(1))


def test_screen_of_a_full_room_is_read_from_afar(browser, origin):
    """At the sizes of projectors: large texts, none cut, none over another."""
    with browser() as opened:
        screen_sizes.show_a_full_room(opened, origin)


def test_screen_that_may_not_watch_says_why(browser, origin):
    with browser() as opened:
        big_screen.refuse_a_screen(opened, origin)


def test_checks_of_names_headings_and_layout_hold_on_all_pages(browser, origin):
    with browser() as opened:
        host = opened.window("whose room it is", DESKTOP, KOREAN)
        symbols = rooms.make_room(host, origin, "FOOTPRINT", 60, "가람")
        page_checks.look_at_all_pages(opened, origin, symbols)


def test_restart_of_the_server_is_told_and_all_go_on_by_themselves(browser, failing_server):
    with browser() as opened:
        server_away.restart_the_server(opened, failing_server(server_away.GRACE_S))


def test_store_fails_and_all_go_on_by_themselves_when_it_works_again(browser, failing_server):
    with browser() as opened:
        server_away.fail_the_store(opened, failing_server(1))


def test_console_page_shows_what_a_made_up_feed_says_and_sends_what_is_confirmed(browser):
    """Hostile names are text; a lost line and an ended session are said."""
    with browser() as opened:
        console_page.look_at_console(opened)


def test_console_page_has_a_day_and_ways_from_alerts_to_their_views(browser):
    with browser() as opened:
        console_history.look_at_a_day(opened, Feed())


def test_console_page_is_used_by_keys_alone(browser):
    with browser() as opened:
        console_keys.use_keys(opened, Feed())


def test_console_page_keeps_contrast_names_and_layout_in_each_view(browser):
    with browser() as opened:
        console_checks.check_all(opened, Feed())


def test_console_page_has_one_language_at_a_time(browser):
    with browser() as opened:
        console_language.read_all(opened, Feed())


def test_console_places_are_drawn_on_the_map(browser):
    with browser() as opened:
        console_drawing.draw_places(opened, Feed())


def test_console_places_are_a_map_and_lists_and_change_as_confirmed(browser):
    """Fences are removed, and imported from a file, over a made-up feed."""
    with browser() as opened:
        console_places.look_at_places(opened)


def test_console_lists_lead_to_every_school_and_to_lands_with_new_names(browser):
    with browser() as opened:
        console_lists.look_through_lists(opened, Feed())


def test_console_of_a_real_server_sees_two_play_and_acts_on_them(browser, origin, server):
    """All of it is in the audit log."""
    with browser() as opened:
        console.operate(opened, origin, server.admin)


def test_console_places_of_a_real_server_come_from_a_file_and_go(browser, server):
    """It follows the test of the audit log, in which it would be."""
    with browser() as opened:
        console_places.change_places(opened, server.admin)


def test_console_lists_of_a_real_server_have_a_drawn_land_and_a_school_without_taps(browser, server):
    with browser() as opened:
        console_lists.work_on_lists(opened, server.admin)


def test_operators_find_a_player_who_sets_a_new_password_by_their_link(browser, madang, tmp_path):
    with browser() as opened, running(madang, tmp_path, "--admin-port", "0", "--map", "none") as server:
        forgotten_password.find_and_reset(opened, server)


def test_operators_come_by_links_passwords_and_codes_and_see_what_their_role_may(browser, madang, tmp_path):
    """A viewer has no buttons, and an ended session is closed at once."""
    with browser() as opened, running(madang, tmp_path, "--admin-port", "0") as server:
        signing_in.come_in(opened, server)
